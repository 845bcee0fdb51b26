import { describe, expect, test, vi } from 'vitest';
import { createVisitSweep } from '#services/flow/restart.ts';
import { claimReview } from '#services/reviews/claim.ts';
import { decideReview } from '#services/reviews/decide.ts';
import { openMaterial } from '#services/reviews/material.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { asOwner } from '#test/support/people/as-member.ts';
import { bankFlow, waiting } from '#test/support/people/bank-flow.ts';
import { atBank, press, simulatedBanks } from '#test/support/people/idin.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';
import { runEnds, runStatus } from '#test/support/rows/runs.ts';

const { banks, agree, fails, works } = await simulatedBanks();
const harness = await startHarness({ banks });
const partner = await startPartner(harness, { org: 'Acme', environment: 'live' });
await agree(harness.ctx, 'Acme');

const { started, back, statusOf, completed, visitsOf, oneOfEach } = bankFlow(harness, partner);

/** Replaces the link, and returns the person who got the new one. */
async function renewed(id: string) {
  const { status, json } = await call(harness, 'POST', `/v1/verifications/${id}/link`, { key: partner.key });
  expect(status).toBe(200);
  return person(harness, json.verify_url);
}
/** How often the run has read its row or changed it. */
const looksAt = async (id: string) => {
  const { events } = await harness.temporal.workflow.getHandle(`verification/${id}`).fetchHistory();
  return events?.filter(({ markerRecordedEventAttributes: local }) => local).length ?? 0;
};
test('a person who confirms at the bank is approved, with substantial assurance, and the webhook says so', async () => {
  const { id, user } = await started();
  expect((await user.look()).text).toContain('Choose your bank');
  const returned = await press(await atBank(user), { choice: 'success', persona: 'plain' });
  const token = user.path.split('/').at(-1) ?? '';
  expect(returned.href, 'neither acquirer nor bank learns the link').not.toContain(token);
  const { status, headers } = await back(returned);
  expect([status, String(headers.location).split('?')[0]]).toEqual([303, token]);

  const { verdict } = await completed(id);
  expect(verdict).toMatchObject({ outcome: 'approved', assurance_level: 'substantial', reviewed: false });
  expect(verdict.reasons).toEqual(['All checks passed.', 'The bank was a simulator; nobody was identified.']);
  const [event] = await partner.receiver.waitFor(1);
  expect(JSON.parse(String(event?.body)).data).toMatchObject({
    ...{ verification_id: id, outcome: 'approved', assurance_level: 'substantial' },
  });
  expect((await user.look()).text).toContain('Done');
  await notes(id);

  // A replayed return leads to the link again, and changes nothing.
  expect((await back(returned)).status).toBe(303);
  expect(await visitsOf(id)).toEqual(['success']);
});

/** The chain has who confirmed and a hash. What was confirmed is sealed, and is in no other row. */
async function notes(id: string): Promise<void> {
  const lines = await harness.rows<{ data: { eid?: object; evidence?: { sha256: string }[] } }>`
    select data from ledger where subject_id = ${id} and type = 'verification.submitted'`;
  expect(lines).toHaveLength(1);
  expect(lines[0]?.data).toMatchObject({
    eid: { issuer: 'SIMBNL2A', level: 'substantial', complete: true, simulated: true },
    evidence: [{ kind: 'bank', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
  });
  expect(JSON.stringify(lines)).not.toMatch(/Jansen|1980-?04-?12/);
  const [bank, ...others] = await harness.rows<{ kind: string; picture: Buffer }>`
    select kind, picture from evidence where verification_id = ${id}`;
  expect([bank?.kind, others]).toEqual(['bank', []]);
  expect(String(bank?.picture)).not.toContain('Assertion');
}

test.each([
  ['cancel', 'cancelled', 'You stopped at your bank'],
  ['expire', 'expired', 'It took too long at your bank'],
  ['fail', 'failed', 'It did not work at your bank'],
])('after %s at the bank, the page says so and the person chooses again', async (choice, status, says) => {
  const { id, user } = await started();
  await back(await press(await atBank(user), { choice }));
  await vi.waitFor(async () => expect((await user.look()).text).toContain(says), waiting);
  expect(await visitsOf(id)).toEqual([status]);
  expect((await statusOf(id)).status).toBe('in_progress');
  await back(await press(await atBank(user), { choice: 'success', persona: 'plain' }));
  expect((await completed(id)).verdict.outcome).toBe('approved');
  expect(await visitsOf(id)).toEqual([status, 'success']);
});

describe('when the acquirer begins nothing that can be used, the person chooses again and loses nothing:', () => {
  const notBegun = 'Your bank cannot be reached now';

  test.each([
    ...(['bad-bank-address', 'open-bank-address', 'bad-transaction-id', 'other-message'] as const),
    ...(['bad-outer-signature', 'unsigned', 'hmac', 'stale', 'entity-bomb', 'error'] as const),
    ...(['http-500', 'truncated', 'large', 'slow'] as const),
  ])('%s', async (fault) => {
    const { id, user } = await started();
    await fails(fault, 'transaction');
    await user.press('bank', { body: 'bank=SIMBNL2A' });
    const page = await vi.waitFor(async () => {
      const { text } = await user.look();
      expect(text).toContain(notBegun);
      return text;
    }, waiting);
    expect(page).toContain('name="bank" value="SIMBNL2A"');
    expect(page, 'nobody is sent to an address of a refused answer').not.toMatch(/javascript:|bank\.example/);
    expect(await visitsOf(id)).toEqual(['not_begun']);
    expect((await statusOf(id)).status).toBe('in_progress');
    await works();
    await back(await press(await atBank(user), { choice: 'success', persona: 'plain' }));
    expect((await completed(id)).verdict.outcome).toBe('approved');
    expect(await visitsOf(id)).toEqual(['not_begun', 'success']);
  });
});

test('a bank that says pending first confirms a little later, and the person is approved', async () => {
  const { id, user } = await started();
  await back(await press(await atBank(user), { choice: 'pending', persona: 'plain' }));
  expect((await completed(id)).verdict).toMatchObject({
    ...{ outcome: 'approved', assurance_level: 'substantial' },
  });
  const [visit] = await harness.rows<{ asks: number; status: string }>`
    select asks, status from eid_transactions where verification_id = ${id}`;
  expect(visit).toEqual({ asks: 2, status: 'success' });
});

test('a person whose first visit is silent goes to another bank, and both confirm: one verdict', async () => {
  const { id, user } = await started();
  const first = await press(await atBank(user), { choice: 'success', persona: 'plain' });
  // The first visit is over by the clock of the page, and nobody knows yet how it ended.
  await harness.rows`
    update eid_transactions set ends_at = now() - interval '2 minutes' where verification_id = ${id}`;
  const second = await press(await atBank(user), { choice: 'success', persona: 'diacritics' });
  expect(await visitsOf(id)).toEqual(['open', 'open']);
  const returns = await Promise.all([back(first), back(second), back(second), back(first)]);
  expect(returns.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
  expect((await completed(id)).verdict.outcome).toBe('approved');
  expect((await visitsOf(id)).filter((status) => status === 'success')).toHaveLength(1);
  await runEnds(harness, id);
  await oneOfEach(id);
});

test('a person who went to banks too often is told so, and a fresh link helps', async () => {
  const { id, user } = await started();
  await harness.rows`
    insert into eid_transactions
      (id, verification_id, org_id, environment, status, issuer_id, language, code_hash, next_ask_at, ends_at)
    select gen_random_uuid(), ${id}, ${partner.organisationId}, 'live', 'cancelled', 'SIMBNL2A', 'en',
      decode(md5(random()::text), 'hex'), now(), now()
    from generate_series(1, 20)`;
  const refused = await user.press('bank', { body: 'bank=SIMBNL2A' });
  expect(refused.text).toContain('You went to a bank too often through this link. Ask for a new link.');
  expect(await visitsOf(id)).toHaveLength(20);
  const holder = await renewed(id);
  await back(await press(await atBank(holder), { choice: 'success', persona: 'plain' }));
  expect((await completed(id)).verdict.outcome).toBe('approved');
});

test('the result of a person who never comes back is found, also when the run was lost', async () => {
  const { id, user } = await started();
  await press(await atBank(user), { choice: 'success', persona: 'plain' });
  await harness.temporal.workflow.getHandle(`verification/${id}`).terminate();
  await harness.rows`
    update eid_transactions set next_ask_at = now() - interval '3 minutes' where verification_id = ${id}`;
  await createVisitSweep(harness.ctx)(new AbortController().signal);
  expect((await completed(id)).verdict.outcome).toBe('approved');
});

test('what a bank confirmed only in part is decided by a person', async () => {
  const { id, user } = await started();
  await back(await press(await atBank(user), { choice: 'success', persona: 'plain', fault: 'incomplete' }));
  const { verdict } = await completed(id);
  expect(verdict).toMatchObject({ outcome: 'review', assurance_level: 'low' });
  const simulated = 'The bank was a simulator; nobody was identified.';
  expect(verdict.reasons).toEqual([
    'The identity attributes are in doubt; a person makes the final assessment.',
    simulated,
  ]);
  const ctx = { ...harness.ctx, deadlineAt: Date.now() + 60_000 };
  const member = asOwner({ id: 'member-anna' }, partner.organisationId, 'live');
  await claimReview(ctx, member, { id });
  const decision = { outcome: 'approved', reasonIds: ['reviewer_accepts_bank'] } as const;
  await openMaterial(ctx, member, { id });
  await decideReview(ctx, member, { verificationId: id, ...decision });
  const after = (await statusOf(id)).verdict;
  expect(after).toMatchObject({ outcome: 'approved', reviewed: true });
  expect(after.reasons, 'a review makes no bank of a simulator').toEqual([
    'A person examined the identity attributes and found them in order.',
    simulated,
  ]);
});

test('an answer that is not signed by the acquirer is never used', async () => {
  const { id, user } = await started();
  await back(
    await press(await atBank(user), { choice: 'success', persona: 'plain', fault: 'bad-outer-signature' }),
  );
  const asked = () =>
    harness.rows<{ asks: number }>`select asks from eid_transactions where verification_id = ${id}`;
  await vi.waitFor(async () => expect((await asked())[0]?.asks).toBeGreaterThan(1), waiting);
  expect((await statusOf(id)).status).toBe('in_progress');
  expect((await user.look()).text).toContain('We are asking');
});

describe('of a link that was replaced', () => {
  test('the return from the bank is unknown, and what the bank confirmed is not used', async () => {
    const { id, user } = await started();
    const page = await atBank(user);
    const holder = await renewed(id);
    const returned = await press(page, { choice: 'success', persona: 'plain' });
    expect((await back(returned)).status).toBe(404);
    expect(await visitsOf(id)).toEqual(['replaced']);
    expect((await holder.look()).text).toContain('Choose your bank');
    await back(await press(await atBank(holder), { choice: 'success', persona: 'minor' }));
    expect((await completed(id)).verdict.outcome).toBe('approved');
    expect(await visitsOf(id)).toEqual(['replaced', 'success']);
  });

  test('the return from a visit that was over leads nowhere either', async () => {
    const { id, user } = await started();
    const returned = await press(await atBank(user), { choice: 'cancel' });
    expect((await back(returned)).status).toBe(303);
    await vi.waitFor(async () => expect(await visitsOf(id)).toEqual(['cancelled']), waiting);
    await renewed(id);
    expect((await back(returned)).status).toBe(404);
    expect(await visitsOf(id)).toEqual(['cancelled']);
  });
});

describe('a person who is at the bank when the link expires', () => {
  const expires = (id: string) =>
    harness.rows`update verifications set link_expires_at = now() - interval '1 second' where id = ${id}`;

  test('comes back to the flow, and is approved', async () => {
    const { id, user } = await started();
    const page = await atBank(user);
    await expires(id);
    // The run reads in its row that the time of the link is over.
    const before = await looksAt(id);
    await harness.ctx.temporal.wakeVerification(id);
    await vi.waitFor(async () => expect(await looksAt(id)).toBeGreaterThan(before), waiting);
    expect(await runStatus(harness, id)).toBe('RUNNING');
    expect((await user.look()).text).toContain(page);
    expect((await back(await press(page, { choice: 'success', persona: 'plain' }))).status).toBe(303);
    expect((await completed(id)).verdict.outcome).toBe('approved');
    await runEnds(harness, id);
  });

  test('is approved without coming back, also when the run was lost', async () => {
    const { id, user } = await started();
    await press(await atBank(user), { choice: 'success', persona: 'plain' });
    await harness.temporal.workflow.getHandle(`verification/${id}`).terminate();
    await expires(id);
    await harness.rows`
      update eid_transactions set next_ask_at = now() - interval '3 minutes' where verification_id = ${id}`;
    await createVisitSweep(harness.ctx)(new AbortController().signal);
    expect((await completed(id)).verdict.outcome).toBe('approved');
  });

  test('can take back the consent, and nothing of the visit is kept', async () => {
    const { id, user } = await started();
    const page = await atBank(user);
    await expires(id);
    await user.press('withdraw');
    expect(await visitsOf(id)).toEqual([]);
    expect((await back(await press(page, { choice: 'success', persona: 'plain' }))).status).toBe(404);
    await runEnds(harness, id);
    expect((await statusOf(id)).status).toBe('in_progress');
  });

  test('who does not confirm has an expired link, and the run ends', async () => {
    const { id, user } = await started();
    const page = await atBank(user);
    await expires(id);
    await back(await press(page, { choice: 'cancel' }));
    await vi.waitFor(async () => expect(await visitsOf(id)).toEqual(['cancelled']), waiting);
    expect((await user.look()).text).toContain('This link has expired');
    await runEnds(harness, id);
  });
});

test('a double click begins one visit, at one bank', async () => {
  const { id, user } = await started();
  const bodies = ['bank=SIMBNL2A', 'bank=SIMBNL2A', 'bank=SIMBNL2B'];
  const page = await user.look();
  await Promise.all(bodies.map((body) => user.press('bank', { body }, page)));
  expect(await visitsOf(id)).toHaveLength(1);
});

test('stopping at the choice removes every trace of the visits, and no page speaks of photos', async () => {
  const { id, user } = await started();
  await back(await press(await atBank(user), { choice: 'cancel' }));
  await vi.waitFor(async () => expect(await visitsOf(id)).toEqual(['cancelled']), waiting);
  const asked = await user.look();
  expect(asked.text).toContain('Stop and take back my consent');
  await user.press('withdraw');
  expect(await visitsOf(id)).toEqual([]);
  const stopped = await user.look();
  expect(stopped.text).toContain('nothing is kept of a visit to your bank');
  expect(asked.text + stopped.text).not.toMatch(/photos? (were|are)|my photos/i);
});

describe('a return that is', async () => {
  const { id, user } = await started();
  const returned = await press(await atBank(user), { choice: 'pending', persona: 'plain' });
  const [code, transaction] = [returned.searchParams.get('ec'), returned.searchParams.get('trxid')];

  test.each([
    ['forged', `ec=${'0'.repeat(40)}&trxid=${transaction}`],
    ['of another transaction', `ec=${code}&trxid=${'1'.repeat(16)}`],
    ['without a code', `trxid=${transaction}`],
    ['malformed', `ec=x'&trxid=1&ec=y`],
  ])('%s leads to the page of an unknown link, and makes nobody ask the bank', async (_, query) => {
    expect((await call(harness, 'GET', `/verify/from-bank?${query}`)).status).toBe(404);
    expect(
      await harness.rows`select returned_at from eid_transactions where verification_id = ${id}`,
    ).toEqual([{ returned_at: null }]);
  });

  test('late leads nowhere', async () => {
    await harness.rows`
      update eid_transactions set ends_at = now() - interval '16 minutes' where verification_id = ${id}`;
    expect((await back(returned)).status).toBe(404);
  });
});

test('the answer of the bank is kept for the days of the organisation', async () => {
  await harness.settings({ evidenceDays: 12 });
  const { id, user } = await started();
  await back(await press(await atBank(user), { choice: 'success', persona: 'plain' }));
  await completed(id);
  const kept = await harness.rows<{ hours: number }>`
    select round(extract(epoch from expires_at - submitted_at) / 3600)::int as hours
    from evidence join verifications on verifications.id = verification_id where verification_id = ${id}`;
  expect(kept).toEqual([{ hours: 12 * 24 }]);
});

describe('an organisation without a working contract', () => {
  const create = (key: string) =>
    call(harness, 'POST', '/v1/verifications', { key, body: { method: 'idin' } });

  test('cannot create, whatever its neighbour has', async () => {
    const { key } = await harness.key({ org: 'Without', environment: 'live' });
    const refused = await create(key);
    expect([refused.status, refused.json.error.code]).toEqual([422, 'method_not_available']);
  });

  test('shows its persons another way as soon as the contract is over', async () => {
    const { user } = await started();
    await harness.rows`update eid_contracts set certificate_ends_at = now() - interval '1 second'`;
    expect((await create(partner.key)).json.error.code).toBe('method_not_available');
    expect((await user.look()).text).toContain('This is not possible here yet');
  });
});
