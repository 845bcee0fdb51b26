import { expect, test } from 'vitest';
import { environments, verificationStatuses } from '#contract/enums.ts';
import { allows, type Trigger } from '#policy/lifecycle.ts';
import { covers } from '#test/requirements.ts';

const triggers: Trigger[] = [
  'created',
  'created_with_documents',
  'started',
  'completed_by_api',
  'completed_by_person',
  'other_way_asked',
];

/** The transitions that specification 3 and decisions 6, 8, 18, 43 and 47 allow. Who has withdrawn the consent may start again. */
const allowed = [
  'live: none, created, pending',
  'live: none, created_with_documents, in_progress',
  'live: pending, started, in_progress',
  'live: in_progress, started, in_progress',
  'live: in_progress, completed_by_person, completed',
  'live: pending, other_way_asked, completed',
  'live: in_progress, other_way_asked, completed',
  'sandbox: pending, other_way_asked, completed',
  'sandbox: in_progress, other_way_asked, completed',
  'sandbox: none, created, pending',
  'sandbox: none, created, completed',
  'sandbox: none, created_with_documents, in_progress',
  'sandbox: pending, started, in_progress',
  'sandbox: in_progress, started, in_progress',
  'sandbox: pending, completed_by_api, completed',
  'sandbox: in_progress, completed_by_api, completed',
  'sandbox: in_progress, completed_by_person, completed',
];

test('of all thinkable transitions exactly those of the specification are allowed', () => {
  covers('1/api-completion-sandbox-only');
  const found = environments.flatMap((environment) =>
    [null, ...verificationStatuses].flatMap((from) =>
      triggers.flatMap((trigger) =>
        verificationStatuses
          .filter((to) => allows(environment, from, trigger, to))
          .map((to) => `${environment}: ${from ?? 'none'}, ${trigger}, ${to}`),
      ),
    ),
  );
  expect(found.sort()).toEqual(allowed.sort());
});
