import { describe, expect, test } from 'vitest';
import { type Banks, EidFault, type EidProvider } from '#activities/eid/port.ts';
import { createBankVisits } from '#activities/visit-banks.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import { callerOfOperator } from '#services/caller.ts';
import { changeContract } from '#services/eid/contracts.ts';
import { recordResult } from '#services/flow/bank/result.ts';
import { bankStageOf, isAtBank } from '#services/flow/bank/stage.ts';
import { claimDue, recordBegun, wantBank } from '#services/flow/bank/visits.ts';
import { firstPlace } from '#services/portions/in-batches.ts';
import { replaceLink } from '#services/verifications/renew-link.ts';
import { scopeOfLink } from '#store/database/scope.ts';
import { findOverdueVisitsOfAnyOrganisation } from '#store/verifications/eid-transactions.ts';
import { startHarness } from '#test/support/harness.ts';

/** What happens to the rows of visits, whatever stops between two steps. No workflow runs here. */

const harness = await startHarness({ worker: false });
const { ctx, rows } = harness;
const { organisationId: orgId } = await harness.key({ environment: 'live' });
const issuers = [{ id: 'BANKNL2A', name: 'Bank', country: 'Nederland' }];
const contract = {
  text: '{}',
  certificateEndsAt: new Date(Date.now() + 86_400_000),
  simulated: false,
  issuers,
};
await changeContract(ctx, callerOfOperator({ orgId, environment: 'live' }), { contract });

const begun = { transactionId: '1234567890123456', redirectUrl: 'https://bank.example/login?id=1' };
const asked: string[] = [];
let answers: Partial<EidProvider> = {};
const noted =
  <Answer>(name: string, answer: Answer) =>
  async () => {
    asked.push(name);
    return answer;
  };
const under = () => answers as EidProvider;
const visitBanks = createBankVisits(ctx, { under } satisfies Pick<Banks, 'under'>, { warn: () => undefined });

/** A flow at the step of the bank. */
async function flow() {
  const id = newUuid();
  await rows`
    insert into verifications (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at)
    values (${id}, ${orgId}, 'live', 'in_progress', 'idin', ${`dos_${id}`}, ${ctx.secrets.newestKeyId},
      now() + interval '1 hour')`;
  const place = { scope: scopeOfLink({ orgId, environment: 'live' }), id, linkVersion: 1 };
  asked.length = 0;
  answers = {
    begin: noted('begin', begun),
    fetchResult: noted('result', { status: 'pending' } as const),
  };
  return {
    ref: { verificationId: id, orgId, environment: 'live' as const },
    renew: () =>
      harness.store.transaction((tx) =>
        replaceLink({ ...ctx, tx }, callerOfOperator(place.scope), { id, requestId: null }),
      ),
    want: (linkVersion = place.linkVersion) =>
      wantBank(ctx, { ...place, linkVersion }, { issuerId: 'BANKNL2A', language: 'nl' }),
    expires: () =>
      rows`update verifications set link_expires_at = now() - interval '1 second' where id = ${id}`,
    becomesDue: () =>
      rows`update eid_transactions set next_ask_at = now() - interval '1 second' where verification_id = ${id}`,
    statuses: async () =>
      (
        await rows<{ status: string }>`
          select status from eid_transactions where verification_id = ${id} order by created_at`
      ).map(({ status }) => status),
    submittedAt: async () =>
      (await rows<{ at: Date | null }>`select submitted_at as at from verifications where id = ${id}`)[0]?.at,
  };
}

const confirmed = {
  ...({
    status: 'success',
    issuerId: 'BANKNL2A',
    level: 'substantial',
    complete: true,
    subject: 'BIN1',
  } as const),
  attributes: { legallastname: 'Kanarie', dateofbirth: '19800000' },
  evidence: { answer: Buffer.from('<answer/>'), sha256: Buffer.alloc(32, 1) },
};

describe('the right to begin', () => {
  test('is used once: whoever lost it with a crash begins nothing, and the person chooses again', async () => {
    const { ref, want, statuses, becomesDue } = await flow();
    expect(await want()).toBe('noted');
    const [claim] = await claimDue(ctx, ref);
    expect(claim?.kind).toBe('begin');
    // The worker is gone before it asked, or before it recorded the answer. Another one finds nothing to begin.
    const { waitMs } = await visitBanks(ref);
    expect(asked).toEqual([]);
    expect(waitMs).toBeGreaterThan(30_000);
    expect(await want()).toBe('under_way');

    await becomesDue();
    expect(await visitBanks(ref)).toEqual({ waitMs: null });
    expect([asked, await statuses()]).toEqual([[], ['not_begun']]);
    // The answer to the first worker comes late. Nobody goes to its address.
    await recordBegun(ctx, ref, claim?.visitId ?? '', begun);
    expect(await statuses()).toEqual(['not_begun']);
    expect(await want()).toBe('noted');
    await visitBanks(ref);
    expect([asked, await statuses()]).toEqual([['begin'], ['not_begun', 'open']]);
  });

  test('is not taken by two workers at once', async () => {
    const { ref, want } = await flow();
    await want();
    await Promise.all([visitBanks(ref), visitBanks(ref), visitBanks(ref)]);
    expect(asked).toEqual(['begin']);
  });

  test('ends with an acquirer that does not answer, and the person may choose again at once', async () => {
    const { ref, want, statuses } = await flow();
    answers = { begin: () => Promise.reject(new EidFault('late')) };
    await want();
    expect(await visitBanks(ref)).toEqual({ waitMs: null });
    expect(await statuses()).toEqual(['not_begun']);
    expect(await want()).toBe('noted');
  });

  test('is of banks that the acquirer named, and of open flows', async () => {
    const { ref, want } = await flow();
    const place = { scope: scopeOfLink(ref), id: ref.verificationId, linkVersion: 1 };
    expect(await wantBank(ctx, place, { issuerId: 'OTHENL2A', language: 'nl' })).toBe('unknown_bank');
    await rows`update verifications set cancelled_at = now() where id = ${ref.verificationId}`;
    expect(await want()).toBe('closed');
  });
});

test('no visit begins after the link has expired, and none is wanted', async () => {
  const { ref, want, expires, statuses } = await flow();
  await want();
  await expires();
  expect(await visitBanks(ref)).toEqual({ waitMs: null });
  expect([asked, await statuses()]).toEqual([[], ['not_begun']]);
  expect(await want()).toBe('closed');
});

describe('the result', () => {
  test('is not asked for while the person is at the bank, and then less and less often, for a day', async () => {
    const { ref, want, statuses, becomesDue } = await flow();
    await want();
    const { waitMs } = await visitBanks(ref);
    expect(waitMs).toBeGreaterThan(290_000);
    expect(asked).toEqual(['begin']);
    let before = 0;
    for (const seconds of [2, 5, 10, 30, 60]) {
      await becomesDue();
      const since = Date.now();
      const wait = (await visitBanks(ref)).waitMs ?? 0;
      // The time of the visit itself is no part of the wait, however long it takes on a busy machine.
      const tookMs = Date.now() - since;
      expect(wait).toBeLessThanOrEqual(seconds * 1_000);
      expect(wait + tookMs).toBeGreaterThan(before);
      before = seconds * 1_000;
    }
    await rows`
      update eid_transactions set created_at = now() - interval '25 hours' where verification_id = ${ref.verificationId}`;
    await becomesDue();
    expect(await visitBanks(ref)).toEqual({ waitMs: null });
    expect(await statuses()).toEqual(['unanswered']);
  });

  test('is asked for each minute as long as it can be used, ten minutes after the visit, and less often then', async () => {
    const { ref, want, becomesDue } = await flow();
    await want();
    await visitBanks(ref);
    await rows`update eid_transactions set asks = 5 where verification_id = ${ref.verificationId}`;
    const waitAt = async (sinceEnd: string) => {
      await rows`
        update eid_transactions set ends_at = now() - ${sinceEnd}::interval
        where verification_id = ${ref.verificationId}`;
      await becomesDue();
      return Math.round(((await visitBanks(ref)).waitMs ?? 0) / 60_000);
    };
    expect(await waitAt('-4 minutes')).toBe(1);
    expect(await waitAt('2 minutes')).toBe(1);
    expect(await waitAt('9 minutes 50 seconds')).toBe(1);
    expect(await waitAt('12 minutes')).toBe(6);
    expect(await waitAt('1 hour')).toBe(30);
    expect(await waitAt('20 hours')).toBe(60);
  });

  test('that begins to hold later is asked for again', async () => {
    const { ref, want, statuses, becomesDue } = await flow();
    answers = { ...answers, fetchResult: () => Promise.reject(new EidFault('not_yet_valid')) };
    await want();
    await visitBanks(ref);
    await becomesDue();
    expect((await visitBanks(ref)).waitMs).toBeLessThanOrEqual(2_000);
    expect(await statuses()).toEqual(['open']);
    answers = { fetchResult: noted('result', confirmed) };
    await becomesDue();
    await visitBanks(ref);
    expect(await statuses()).toEqual(['success']);
  });

  test('of two visits that are both open is used once, and the other one is noted as unused', async () => {
    const { ref, want, statuses, becomesDue } = await flow();
    answers = { ...answers, fetchResult: noted('result', confirmed) };
    await want();
    await visitBanks(ref);
    await rows`
      update eid_transactions set ends_at = now() - interval '2 minutes'
      where verification_id = ${ref.verificationId}`;
    expect(await want()).toBe('noted');
    await visitBanks(ref);
    await becomesDue();
    expect(await visitBanks(ref)).toEqual({ waitMs: null });
    expect((await statuses()).sort()).toEqual(['success', 'unused']);
    const lines = await rows`
      select from ledger where subject_id = ${ref.verificationId} and type = 'verification.submitted'`;
    expect(lines).toHaveLength(1);
  });

  test('whose conditions are over is asked for no more, and the person may choose again at once', async () => {
    const { ref, want, statuses, becomesDue } = await flow();
    answers = { ...answers, fetchResult: () => Promise.reject(new EidFault('conditions_over')) };
    await want();
    await visitBanks(ref);
    await becomesDue();
    expect(await visitBanks(ref)).toEqual({ waitMs: null });
    expect(await statuses()).toEqual(['unanswered']);
    expect(await want()).toBe('noted');
  });

  test('is used once, and seals what the bank confirmed', async () => {
    const { ref, want, statuses, becomesDue, submittedAt } = await flow();
    answers = { ...answers, fetchResult: noted('result', confirmed) };
    await want();
    await visitBanks(ref);
    await becomesDue();
    expect(await visitBanks(ref)).toEqual({ waitMs: null });
    const first = await submittedAt();
    expect([await statuses(), first]).toEqual([['success'], expect.any(Date)]);
    const place = { scope: scopeOfLink({ orgId, environment: 'live' }), id: ref.verificationId };
    const stage = await bankStageOf(ctx, harness.store.db, { ...place, now: new Date() });
    expect(stage, 'a page that read the row before goes on by itself').toEqual({ is: 'asking' });
    const [visit] = await rows<{ id: string; redirect: null }>`
      select id, redirect from eid_transactions where verification_id = ${ref.verificationId}`;
    expect(visit?.redirect).toBeNull();
    const { transactionId } = begun;
    const transaction = { transactionId, requestId: 'V1', issuerId: 'BANKNL2A' };
    const again = { visitId: visit?.id ?? '', simulated: false, transaction };
    await recordResult(ctx, ref, again, { ...confirmed, complete: false });
    expect(await submittedAt()).toEqual(first);
    const checks = await rows`select checks from examinations where verification_id = ${ref.verificationId}`;
    expect(checks).toEqual([{ checks: [{ kind: 'eid_authentication', result: 'passed', confidence: 1 }] }]);
    const stored = await rows<{ text: string }>`
      select encode(value, 'escape') || data::text as text from ledger_personal
      join ledger using (subject_id, sequence) where subject_id = ${ref.verificationId}`;
    expect(stored).toHaveLength(1);
    expect(stored[0]?.text).not.toContain('Kanarie');
  });

  test('of a flow that was cancelled meanwhile is not used', async () => {
    const { ref, want, statuses, becomesDue, submittedAt } = await flow();
    const cancel = () => rows`update verifications set cancelled_at = now() where id = ${ref.verificationId}`;
    answers = { ...answers, fetchResult: () => cancel().then(() => confirmed) };
    await want();
    await visitBanks(ref);
    await becomesDue();
    await visitBanks(ref);
    expect([await statuses(), await submittedAt()]).toEqual([['unused'], null]);
  });

  test.each(['begin', 'result'])(
    'of a link that is replaced while the bank is asked for the %s is not used',
    async (question) => {
      const { ref, want, renew, statuses, becomesDue, submittedAt } = await flow();
      await want();
      if (question === 'result') {
        await visitBanks(ref);
        await becomesDue();
      }
      answers = {
        begin: () => renew().then(() => begun),
        fetchResult: () => renew().then(() => confirmed),
      };
      expect(await visitBanks(ref)).toEqual({ waitMs: null });
      expect([await statuses(), await submittedAt()]).toEqual([['replaced'], null]);
      const left = await rows`
        select code_hash, redirect from eid_transactions where verification_id = ${ref.verificationId}`;
      expect(left).toEqual([{ code_hash: null, redirect: null }]);
      expect(await want(2), 'the holder of the new link chooses at once').toBe('noted');
    },
  );

  test('is used although the link expired while the person was at the bank', async () => {
    const { ref, want, expires, statuses, becomesDue, submittedAt } = await flow();
    await want();
    await visitBanks(ref);
    await expires();
    const place = { scope: scopeOfLink(ref), id: ref.verificationId, now: new Date() };
    expect(await isAtBank(harness.store.db, place)).toBe(true);
    await becomesDue();
    const overdue = await findOverdueVisitsOfAnyOrganisation(harness.store.db, {
      ...{ after: firstPlace, dueBefore: new Date(), limit: 100 },
    });
    expect(overdue.map(({ verificationId }) => verificationId)).toContain(ref.verificationId);
    answers = { fetchResult: noted('result', confirmed) };
    await visitBanks(ref);
    expect([await statuses(), await submittedAt()]).toEqual([['success'], expect.any(Date)]);
  });

  test('of another organisation is out of reach', async () => {
    const { ref, want, statuses, becomesDue } = await flow();
    await want();
    await visitBanks(ref);
    await becomesDue();
    asked.length = 0;
    const { organisationId } = await harness.key({ org: 'Neighbour', environment: 'live' });
    expect(await visitBanks({ ...ref, orgId: organisationId })).toEqual({ waitMs: null });
    expect([asked, await statuses()]).toEqual([[], ['open']]);
  });
});
