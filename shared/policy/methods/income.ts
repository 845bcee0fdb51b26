import { type DecisionRule, incomeCheckKinds } from '#contract/enums.ts';
import { type FoundCheck, type MethodDecision, plain, type VerificationMethod } from './method.ts';

/** The documents that tell an income, and what they say. */
export const income: VerificationMethod = {
  resource: 'income_check',
  evidence: { sandbox: ['papers'], live: ['papers'] },
  consents: ['income'],
  unavailable: {},
  nextStep: (received) => (received.includes('papers') ? 'confirm' : 'papers'),
  sandbox: {
    kinds: incomeCheckKinds,
    passedConfidence: 0.99,
    review: {
      check: { kind: 'arithmetic', result: 'doubt', confidence: 0.55 },
      reason: 'income_amounts_in_doubt',
    },
    rejected: {
      check: { kind: 'revision_history', result: 'failed', confidence: 0.97 },
      reason: 'income_document_changed',
    },
  },
  examiners: ['income'],
  decide: byDocuments,
  assurance: 'low',
};

/**
 * A machine rejects only where the organisation lets it, and only what is certain. It approves nobody: that a document is unchanged does
 * not say that its maker told the truth.
 */
function byDocuments(found: readonly FoundCheck[], rule: DecisionRule): MethodDecision {
  const checks = found.map(plain);
  if (rule !== 'people' && found.some(isCertain))
    return { outcome: 'rejected', reasonIds: ['income_document_changed'], checks };
  const isClear = found.length > 0 && found.every(({ result }) => result !== 'failed' && result !== 'doubt');
  return { outcome: 'review', reasonIds: [isClear ? 'income_person_assesses' : 'income_in_doubt'], checks };
}

/** Only what somebody did to a file is certain. */
const isCertain = ({ kind, result }: FoundCheck): boolean =>
  result === 'failed' && (kind === 'revision_history' || kind === 'digital_signature');
