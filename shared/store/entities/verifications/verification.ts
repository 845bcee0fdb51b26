import { defineEntity, p } from '@mikro-orm/core';
import type { Environment, Method, Scenario, VerificationStatus } from '#contract/enums.ts';
import type { Decision } from '#contract/workflows.ts';
import { createdAt, instant } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';

/**
 * A verification (specification 2.1). The token of the link is computed from `id`, `linkVersion` and a secret key, and never
 * stored (decision 7).
 */
export const Verification = defineEntity({
  name: 'Verification',
  tableName: 'verifications',
  properties: {
    id: p.uuid().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    environment: p.text().$type<Environment>(),
    status: p.text().$type<VerificationStatus>(),
    method: p.text().$type<Method>(),
    reference: p.text().nullable(),
    scenario: p.text().$type<Scenario>().nullable(),
    dossierRef: p.text().unique(),
    linkVersion: p.smallint().default(1),
    linkKeyId: p.text(),
    linkExpiresAt: instant(),
    /** The time at which the end user submitted all evidence. The checks and the verdict follow later. */
    submittedAt: instant().nullable(),
    /** The number of pictures that a person sent. Refused and replaced pictures count. */
    picturesTaken: p.smallint().default(0),
    /** How often the masking of the document was begun. */
    maskingsBegun: p.smallint().default(0),
    verdict: p.json().$type<Decision>().nullable(),
    createdAt: createdAt(),
    completedAt: instant().nullable(),
    /** The link opens nothing any more, and a fresh link revives it. The status stays as it was. */
    cancelledAt: instant().nullable(),
    /** The person took the consent back. A fresh link asks for it again. */
    withdrawnAt: instant().nullable(),
    /** Everything that was stored of the person is gone. */
    erasedAt: instant().nullable(),
    /** A member wants people to look at the rejection that a machine decided. */
    reopenedAt: instant().nullable(),
    /** The end of the business relationship, as it was reported. The years of a completed verification count from it. */
    relationEndedAt: instant().nullable(),
    /** True if the operator said that the relationship goes on. The verification then stays until its end is reported. */
    relationContinues: p.boolean().default(false),
    /** Since when the first run of its workflow is to start. Null once a run has read the row, or wrote it itself. */
    runDueSince: instant().nullable(),
    /** The id of the API request that completed the verification. Any other request to complete it is refused. */
    completedBy: p.text().nullable(),
  },
  indexes: [
    {
      name: 'verifications_newest',
      expression:
        'create index "verifications_newest" on "verifications" ("org_id", "environment", "created_at" desc, "id" desc)',
    },
    {
      name: 'verifications_newest_chosen',
      expression:
        'create index "verifications_newest_chosen" on "verifications" ("org_id", "environment", "created_at" desc, "id" desc) where (method <> \'income\'::text)',
    },
    {
      name: 'verifications_newest_income',
      expression:
        'create index "verifications_newest_income" on "verifications" ("org_id", "environment", "created_at" desc, "id" desc) where (method = \'income\'::text)',
    },
    {
      name: 'verifications_unsettled',
      expression:
        'create index "verifications_unsettled" on "verifications" ("submitted_at", "id") where ((submitted_at is not null) and (status <> \'completed\'::text) and (cancelled_at is null))',
    },
    {
      name: 'verifications_run_due',
      expression:
        'create index "verifications_run_due" on "verifications" ("run_due_since", "id") where (run_due_since is not null)',
    },
    {
      name: 'verifications_abandoned',
      expression:
        'create index "verifications_abandoned" on "verifications" ("link_expires_at") where (status <> \'completed\'::text)',
    },
    {
      name: 'verifications_erased',
      expression:
        'create index "verifications_erased" on "verifications" ("erased_at") where (erased_at is not null)',
    },
    {
      name: 'verifications_kept',
      expression:
        'create index "verifications_kept" on "verifications" ((COALESCE(relation_ended_at, completed_at)), "id") where ((completed_at is not null) and (relation_continues is false))',
    },
    {
      name: 'verifications_charged',
      expression:
        'create index "verifications_charged" on "verifications" ("org_id", "completed_at") where ((environment = \'live\'::text) and (status = \'completed\'::text))',
    },
    {
      name: 'verifications_by_status',
      expression:
        'create index "verifications_by_status" on "verifications" ("org_id", "environment", "status", "created_at" desc, "id" desc)',
    },
    {
      name: 'verifications_by_status_chosen',
      expression:
        'create index "verifications_by_status_chosen" on "verifications" ("org_id", "environment", "status", "created_at" desc, "id" desc) where (method <> \'income\'::text)',
    },
    {
      name: 'verifications_search',
      expression:
        'create index "verifications_search" on "verifications" ("org_id", "environment", "method", (verdict ->> \'outcome\'::text), "created_at" desc, "id" desc)',
    },
    {
      name: 'verifications_to_review',
      expression:
        'create index "verifications_to_review" on "verifications" ("org_id", "environment", "completed_at", "id") where ((status = \'completed\'::text) and (erased_at is null) and ((verdict ->> \'reviewed\'::text) = \'false\'::text) and (((verdict ->> \'outcome\'::text) = \'review\'::text) or (reopened_at is not null)))',
    },
    {
      name: 'verifications_reference',
      expression:
        'create index "verifications_reference" on "verifications" ("org_id", "environment", "reference", "created_at" desc, "id" desc) where (reference is not null)',
    },
  ],
});
