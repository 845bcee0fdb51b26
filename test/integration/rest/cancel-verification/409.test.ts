import { describe, expect, test } from 'vitest';
import { gatedReader } from '#test/support/examiners/gated-reader.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { inOrder } from '#test/support/servers/locks.ts';

const { documents, open } = gatedReader();
const harness = await startHarness({ documents });
const { key } = await harness.key({ environment: 'live' });

const ready = async () => {
  const body = { method: 'document_only' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  const user = person(harness, json.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  return { id: json.id as string, user };
};
const cancel = (id: string) => call(harness, 'POST', `/v1/verifications/${id}/cancel`, { key });
const submittedAt = async (id: string) =>
  (await harness.rows<{ at: Date | null }>`select submitted_at as at from verifications where id = ${id}`)[0]
    ?.at;

test('after Send it is already_submitted, and nothing changes', async () => {
  const { id, user } = await ready();
  await user.submit();
  const { status, json } = await cancel(id);
  expect(status).toBe(409);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'already_submitted' });
  expect((await user.look()).text).not.toContain('cancelled');
});

test('of a cancellation and Send at the same time one wins, and both callers learn which', async () => {
  const rounds = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const { id, user } = await ready();
      const confirm = await user.look();
      const [cancelled, page] = await Promise.all([cancel(id), user.press('submit', {}, confirm)]);
      const isSent = (await submittedAt(id)) !== null;
      expect(cancelled.status).toBe(isSent ? 409 : 200);
      expect(page.text.includes('This request was cancelled')).toBe(!isSent);
      const lines = await harness.rows<{ type: string }>`
        select type from ledger where subject_id = ${id} and type in ('verification.submitted', 'verification.cancelled')`;
      expect(lines.map(({ type }) => type)).toEqual([
        isSent ? 'verification.submitted' : 'verification.cancelled',
      ]);
      return isSent;
    }),
  );
  expect(rounds).toHaveLength(6);
});

describe('whichever comes first wins, also when the other one is waiting already', () => {
  const linesOf = async (id: string) => {
    const lines = await harness.rows<{ type: string }>`
      select type from ledger where subject_id = ${id} order by sequence`;
    return lines.map(({ type }) => type.replace('verification.', ''));
  };

  test('a cancellation before Send: nothing is sent, and the person reads that it was cancelled', async () => {
    const { id, user } = await ready();
    const confirm = await user.look();
    const [cancelled, page] = await inOrder(
      harness,
      () => cancel(id),
      () => user.press('submit', {}, confirm),
    );
    expect(cancelled.status).toBe(200);
    expect(page.text).toContain('This request was cancelled');
    expect(await submittedAt(id)).toBe(null);
    expect(await linesOf(id)).toEqual(['created', 'started', 'cancelled']);
  });

  test('Send before a cancellation: it is sent, and the caller is refused', async () => {
    const { id, user } = await ready();
    const confirm = await user.look();
    const [page, refused] = await inOrder(
      harness,
      () => user.press('submit', {}, confirm),
      () => cancel(id),
    );
    expect([refused.status, refused.json.error.code]).toEqual([409, 'already_submitted']);
    expect(page.text).not.toContain('cancelled');
    expect(await submittedAt(id)).not.toBe(null);
    expect(await linesOf(id)).toEqual(['created', 'started', 'submitted']);
  });
});

test('once completed it is already_completed', async () => {
  const sandbox = await harness.key();
  const { json } = await call(harness, 'POST', '/v1/verifications', { key: sandbox.key });
  const refused = await call(harness, 'POST', `/v1/verifications/${json.id}/cancel`, { key: sandbox.key });
  expect([refused.status, refused.json.error.code]).toEqual([409, 'already_completed']);
  open();
});
