import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { joins } from '#test/support/people/console.ts';
import { operatorsOf } from './operators-command.ts';

/** How long the oldest open work of each kind has waited, as an operator sees it. */

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();
const operator = await joins(harness, url, { role: 'operator' });
const operators = operatorsOf(harness);
const page = async () => (await operator.visitor.get('/operator')).html;
const { organisationId } = await harness.key({ environment: 'live' });

/** The cells beside the name of a row. */
const row = (html: string, name: string) => {
  const cells = html.split(`${name}</th>`)[1]?.split('</tr>')[0] ?? '';
  return [...cells.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell);
};

/** Two rows of each kind that count, and some that do not. */
const opened = async () => {
  await harness.rows`
    insert into requests (id, org_id, environment, operation, fingerprint, created_at)
    select gen_random_uuid(), ${organisationId}, 'live', 'create_verification', '', now() - hours * interval '1 hour'
    from unnest(array[1, 5]) as hours`;
  await harness.rows`
    insert into requests (id, org_id, environment, operation, fingerprint, created_at)
    values (gen_random_uuid(), ${organisationId}, 'live', 'create_verification', '', now() - interval '1 minute')`;
  await harness.rows`
    insert into verifications
      (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at, run_due_since)
    select gen_random_uuid(), ${organisationId}, 'live', 'pending', 'document_only', 'unstarted ' || minutes, 'key', now(),
      now() - minutes * interval '1 minute'
    from unnest(array[1, 60, 240]) as minutes`;
  await harness.rows`
    insert into verifications
      (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at, completed_at)
    select gen_random_uuid(), ${organisationId}, 'live', 'completed', 'document_only', 'unmasked ' || hours, 'key', now(),
      now() - hours * interval '1 hour'
    from unnest(array[1, 3]) as hours`;
  await harness.rows`
    insert into evidence (verification_id, kind, org_id, environment, picture)
    select id, 'card_front', org_id, environment, 'sealed'::bytea from verifications
    where status = 'completed'
    union all
    select id, 'card_back', org_id, environment, 'sealed'::bytea from verifications`;
};

test('nothing open has no age', async () => {
  const { stdout } = await operators();
  for (const what of ['verifications without a workflow', 'documents without a masked copy'])
    expect(stdout).toMatch(new RegExp(`^${what} +0 +0 s$`, 'm'));
  expect(stdout).toMatch(/^claims without an answer for 10 minutes +0 +0 s$/m);
  expect(row(await page(), 'Documents that are not covered yet')).toEqual(['0', '–']);
});

test('claims, workflows and documents are counted, each with the age of the oldest', async () => {
  await opened();
  const { stdout } = await operators();
  expect(stdout).toMatch(/^claims without an answer for 10 minutes +2 +5 h$/m);
  expect(stdout).toMatch(/^verifications without a workflow +2 +4 h$/m);
  expect(stdout).toMatch(/^documents without a masked copy +2 +3 h$/m);

  const { claims, unstarted, unmasked } = JSON.parse((await operators('--json')).stdout);
  const told = [claims, unstarted, unmasked].map(
    ({ open, oldest_seconds }) => `${open}, ${Math.floor(oldest_seconds / 3_600)} h`,
  );
  expect(told).toEqual(['2, 5 h', '2, 4 h', '2, 3 h']);

  const html = await page();
  expect(row(html, 'Requests without an answer for 10 minutes')).toEqual(['2', '5 h']);
  expect(row(html, 'Verifications whose workflow has not started')).toEqual(['2', '4 h']);
  expect(row(html, 'Documents that are not covered yet')).toEqual(['2', '3 h']);
});
