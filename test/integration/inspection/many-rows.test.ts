import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { joins } from '#test/support/people/console.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { operatorsOf } from './operators-command.ts';

/** What the pages say of more rows than they count, and of rows that have waited. No worker runs, so everything stays as it is. */

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();
const partner = await startPartner(harness, { org: 'Full' });
const { organisationId: orgId, endpoint } = partner;
const owner = await joins(harness, url, { org: 'Full', role: 'owner' });
const operator = await joins(harness, url, { role: 'operator' });
const operators = operatorsOf(harness);

/** One more than a page counts. */
const many = 10_001;

await harness.rows`
  with made as (
    insert into verifications (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at, verdict, completed_at)
    select gen_random_uuid(), ${orgId}, 'sandbox', 'completed', 'document_only', 'dos_' || n, '00000001', now(),
      jsonb_build_object('outcome', case when n <= ${many} then 'review' else 'approved' end, 'assuranceLevel', 'low',
        'reasonIds', '["person_assesses"]'::jsonb, 'checks', '[]'::jsonb, 'reviewed', n > ${many}),
      now() - interval '3 hours'
    from generate_series(1, 2 * ${many}::int) as n
    returning id, org_id, environment, verdict, completed_at)
  insert into review_decisions (id, verification_id, org_id, environment, member_id, number, eyes, outcome, reason_ids, concludes,
    queued_at, claimed_at, claimed_until, created_at, recorded_at)
  select gen_random_uuid(), id, org_id, environment, 'member', 1, 1, 'approved', '{reviewer_accepts_document}', true,
    completed_at, now() - interval '65 minutes', now() - interval '50 minutes', now() - interval '1 hour', now() - interval '1 hour'
  from made where verdict ->> 'reviewed' = 'true'`;
await harness.rows`
  insert into events (id, org_id, environment, type, body) values ('evt_many', ${orgId}, 'sandbox', 'verification.completed', '{}')`;
await harness.rows`
  insert into deliveries (id, org_id, environment, event_id, endpoint_id, trigger, status, attempts_allowed, next_attempt_at)
  select gen_random_uuid(), ${orgId}, 'sandbox', 'evt_many', ${endpoint.id}, 'resend', 'retrying', 6,
    now() + case when n <= ${many} then interval '1 hour' else interval '-5 hours' end
  from generate_series(1, 2 * ${many}::int) as n`;
/** A picture that should have been deleted three days ago, and a submission that has waited for its verdict for forty minutes. */
await harness.rows`
  with open as (
    insert into verifications (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at, submitted_at)
    values (gen_random_uuid(), ${orgId}, 'live', 'processing', 'document_only', 'dos_open', '00000001', now() + interval '1 day',
      now() - interval '40 minutes')
    returning id, org_id, environment)
  insert into evidence (verification_id, org_id, environment, kind, picture, expires_at)
  select id, org_id, environment, 'selfie', 'sealed'::bytea, now() - interval '3 days 1 minute' from open`;

const cellsOf = (html: string, heading: string) => {
  const row = html.split('<tr ').find((each) => each.includes(`${heading}</th>`)) ?? '';
  return [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, ''));
};

test('the queue counts up to ten thousand, and says that there are more', async () => {
  const queue = async () => (await owner.visitor.get('/review?environment=sandbox')).html;
  const full = await queue();
  for (const number of ['Waiting', 'Decided in 24 hours', 'Decided in 7 days'])
    expect(full).toContain(`<dt>${number}</dt><dd>more than 10,000</dd>`);
  await harness.rows`
    update verifications set verdict = verdict || '{"outcome": "approved", "reviewed": true}'
    where id = (select id from verifications where verdict ->> 'outcome' = 'review' limit 1)`;
  const exact = await queue();
  expect(exact).toContain('<dt>Waiting</dt><dd>10,000</dd>');
  expect(exact).toContain('<dt>Decided in 24 hours</dt><dd>more than 10,000</dd>');
  await harness.rows`update members set language = 'nl' where id = ${owner.memberId}`;
  expect(await queue()).toContain('<dd>meer dan 10.000</dd>');
});

test('the page of the operator counts up to ten thousand, and says how old the oldest is', async () => {
  const { html } = await operator.visitor.get('/operator');
  expect(cellsOf(html, 'Deliveries that wait for their time')).toEqual(['more than 10,000', '–']);
  expect(cellsOf(html, 'Deliveries that are overdue')).toEqual(['more than 10,000', '–']);
  expect(cellsOf(html, 'Deliveries that are due')).toEqual(['0', '5 h']);
  expect(cellsOf(html, 'Submissions without a verdict')).toEqual(['1', '40 min']);
  expect(cellsOf(html, 'Reviews that wait, sandbox')).toEqual(['10,000', '3 h']);
  expect(cellsOf(html, 'Pictures')).toEqual(['3 d', 'never yet']);
  expect(cellsOf(html, 'Request log')).toEqual(['nothing is past its time', 'never yet']);
  expect(cellsOf(html, 'Full</a>')).toEqual(['active', '1', '0', 'more than 10,000', '0']);
});

test('the command of the operator says the same, in its table and in its figures', async () => {
  const { stdout } = await operators();
  expect(stdout).toMatch(/^deliveries waiting for their time +10001$/m);
  expect(stdout).toMatch(/^deliveries due +0 +5 h$/m);
  expect(stdout).toMatch(/^deliveries overdue +10001$/m);
  expect(stdout).toMatch(/^submissions without a verdict +1 +40 min$/m);
  expect(stdout).toMatch(/^reviews waiting, sandbox +10000 +3 h$/m);
  expect(stdout).toMatch(/^data past their time, evidence +some +3 d$/m);
  expect(stdout).toMatch(/^data past their time, request_log +0 +0 s$/m);
  expect(stdout).toMatch(/^Full +\S{36} +active +1 +0 +10001 +0$/m);
  const { deliveries, submissions, housekeeping } = JSON.parse((await operators('--json')).stdout);
  expect(deliveries).toMatchObject({ waiting: many, due: 0, overdue: many });
  expect(Math.floor(deliveries.oldest_due_seconds / 3_600)).toBe(5);
  expect([submissions.open, Math.floor(submissions.oldest_seconds / 60)]).toEqual([1, 40]);
  const evidence = housekeeping.find(({ kind }: { kind: string }) => kind === 'evidence');
  expect(Math.floor(evidence.overdue_seconds / 86_400)).toBe(3);
});
