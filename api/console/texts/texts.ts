import type { Language } from '#contract/enums.ts';
import { accountTexts } from './account.ts';
import { dossierTexts } from './dossiers.ts';
import { firstStepTexts } from './first-steps.ts';
import { frameTexts } from './frame.ts';
import { historyTexts } from './history.ts';
import { incomeTexts } from './income.ts';
import { keyTexts } from './keys.ts';
import { logTexts } from './log.ts';
import { memberTexts } from './members.ts';
import { operatorTexts } from './operator.ts';
import { organisationTexts } from './organisation.ts';
import { decidingTexts } from './review/deciding.ts';
import { evidenceTexts } from './review/evidence.ts';
import { ownDecisionTexts } from './review/own-decisions.ts';
import { readFieldTexts } from './review/read-fields.ts';
import { reviewTexts } from './review/reviews.ts';
import { signInTexts } from './sign-in.ts';
import { signTexts } from './signs.ts';
import { usageTexts } from './usage.ts';
import { verificationTexts } from './verifications.ts';
import { webhookActionTexts } from './webhook-actions.ts';
import { webhookTexts } from './webhooks.ts';

/**
 * The table of texts. A noun is a file with both languages, in which the Dutch has the type of the English, so that a text that is
 * missing in one of them does not compile.
 */
const textsIn = (language: Language) => ({
  ...frameTexts[language],
  account: accountTexts[language],
  dossiers: dossierTexts[language],
  evidence: evidenceTexts[language],
  firstSteps: firstStepTexts[language],
  history: historyTexts[language],
  income: incomeTexts[language],
  keys: keyTexts[language],
  log: logTexts[language],
  members: memberTexts[language],
  operator: operatorTexts[language],
  organisation: organisationTexts[language],
  ownDecisions: ownDecisionTexts[language],
  reviews: reviewTexts[language],
  deciding: decidingTexts[language],
  signIn: signInTexts[language],
  readFields: readFieldTexts[language],
  signs: signTexts[language],
  usage: usageTexts[language],
  verifications: verificationTexts[language],
  webhookActions: webhookActionTexts[language],
  webhooks: webhookTexts[language],
});

export type Texts = ReturnType<typeof textsIn>;

/** A sentence that a page shows once, after something was done. */
export type Notice = keyof Texts['notices'];

/** The texts of the console. A page reads those of its language as `request.text`. */
export const texts: Record<Language, Texts> = { en: textsIn('en'), nl: textsIn('nl') };
