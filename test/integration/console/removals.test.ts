import { expect, test } from 'vitest';
import { removalWarningDays } from '#policy/relations.ts';
import { keptMs } from '#policy/retention.ts';
import { startHarness } from '#test/support/harness.ts';
import { reportByOperator } from '#test/support/people/as-operator.ts';
import { joins } from '#test/support/people/console.ts';

/** The warning before verifications are removed, to the organisation that loses them. */

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();
const { organisationId: orgId } = await harness.key({ org: 'Acme', environment: 'live' });
const { organisationId: foreign } = await harness.key({ org: 'Other', environment: 'live' });
const owner = await joins(harness, url);

const dayMs = 86_400_000;
/** Completed so long ago that it is removed in so many days. */
const completedAt = (daysLeft: number) =>
  new Date(Date.now() - keptMs.completed_verifications + daysLeft * dayMs);
const add = async (org: string, environment: string, daysLeft: number): Promise<string> => {
  const at = completedAt(daysLeft);
  const [row] = await harness.rows<{ id: string }>`
    insert into verifications
      (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at, verdict, created_at, completed_at)
    values (gen_random_uuid(), ${org}, ${environment}, 'completed', 'document_only', 'dos_' || gen_random_uuid(), '00000001',
      now(), '{"outcome": "approved"}', ${at}, ${at}) returning id`;
  return row?.id ?? expect.unreachable();
};
const pageOf = async (visitor = owner.visitor) => (await visitor.get('/usage')).html;

test('owners read how many verifications are removed within 90 days, when the first is, and who can prevent it', async () => {
  expect(removalWarningDays).toBe(90);
  await add(orgId, 'live', 91);
  await add(orgId, 'sandbox', 10);
  await add(foreign, 'live', 10);
  expect(await pageOf(), 'nothing of this organisation is removed soon').not.toContain('Removed soon');

  const first = completedAt(5);
  await add(orgId, 'live', 5);
  await add(orgId, 'live', 89);
  const html = await pageOf();
  expect(html).toContain('Removed soon');
  expect(html).toContain('Removed within 90 days: 2 verifications.');
  expect(html).toContain(
    new Date(first.getTime() + keptMs.completed_verifications).toISOString().slice(0, 10),
  );
  expect(html).toContain('The operator of this service notes it with the command npm run relations');

  const dutch = await joins(harness, url, { role: 'auditor' });
  await dutch.visitor.submit('/account', '/account/preferences', { language: 'nl', time_zone: 'UTC' });
  expect(await pageOf(dutch.visitor)).toContain('Binnen 90 dagen verwijderd: 2 verificaties.');
});

test('a verification whose relationship was reported is no longer announced', async () => {
  const [ended, goesOn] = [await add(orgId, 'live', 20), await add(orgId, 'live', 21)];
  expect(await pageOf()).toContain('Removed within 90 days: 4 verifications.');
  for (const id of [ended, goesOn])
    await harness.rows`
      insert into ledger (subject_id, sequence, org_id, type, data, previous_hash, hash)
      values (${id}, 1, ${orgId}, 'verification.created', '{}', '\\x00', '\\x00')`;
  await reportByOperator(harness.ctx, { id: goesOn, endedOn: null });
  await reportByOperator(harness.ctx, { id: ended, endedOn: new Date().toISOString().slice(0, 10) });
  expect(await pageOf()).toContain('Removed within 90 days: 2 verifications.');
});
