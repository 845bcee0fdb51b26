import { defineEntity, p } from '@mikro-orm/core';
import type { DecisionRule, LanguageChoice } from '#contract/enums.ts';
import { operatorsId } from '#contract/members.ts';
import { createdAt, instant } from '../columns.ts';

/** An organisation and its settings. `policy/organisation-settings.ts` says what each setting means. */
export const Organisation = defineEntity({
  name: 'Organisation',
  tableName: 'organisations',
  properties: {
    id: p.uuid().primary(),
    /** Empty for the row of the operators alone. */
    name: p.text().unique(),
    /** True if an API key of live may erase a person's data. The operator always can. */
    eraseByKey: p.boolean().default(false),
    createdAt: createdAt(),
    decisions: p.text().$type<DecisionRule>().default('people'),
    displayName: p.text().nullable(),
    purpose: p.text().nullable(),
    contact: p.text().nullable(),
    privacyUrl: p.text().nullable(),
    colour: p.text().nullable(),
    returnUrl: p.text().nullable(),
    languages: p.text().$type<LanguageChoice>().default('nl,en'),
    offersOtherWay: p.boolean().default(false),
    evidenceDays: p.smallint().default(30),
    coverPortrait: p.boolean().default(true),
    reviewEyes: p.smallint().default(1),
    paused: p.boolean().default(false),
    /** It was warned of the removal of everything that was completed before this time. */
    removalsWarnedUntil: instant().nullable(),
  },
  checks: [
    { name: 'organisations_operators', expression: `(name = '') = (id = '${operatorsId}')` },
    { name: 'organisations_colour', expression: "colour ~ '^#[0-9a-f]{6}$'" },
    {
      name: 'organisations_decisions',
      expression:
        "decisions = 'people' or decisions = 'machine_may_reject' or decisions = 'machine_may_decide'",
    },
    {
      name: 'organisations_languages',
      expression: "languages ~ '^(nl|en|nl[[:punct:]]en)$'",
    },
    { name: 'organisations_evidence_days', expression: 'evidence_days >= 1 and evidence_days <= 365' },
    { name: 'organisations_review_eyes', expression: 'review_eyes >= 1 and review_eyes <= 2' },
  ],
});
