import { afterAll, describe, expect, test } from 'vitest';
import { recordStart } from '#services/flow/record.ts';
import { gatedReader } from '#test/support/examiners/gated-reader.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { inOrder } from '#test/support/servers/locks.ts';

const { documents, open } = gatedReader();
const harness = await startHarness({ documents });
afterAll(open);
const { key, organisationId: orgId } = await harness.key({ environment: 'live' });
await harness.settings({ offersOtherWay: true });

type User = ReturnType<typeof person>;

const created = async () => {
  const body = { method: 'document_liveness' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  return { id: json.id as string, user: person(harness, json.verify_url) };
};
const started = async () => {
  const { id, user } = await created();
  await user.start();
  return { id, user };
};
const ready = async () => {
  const { id, user } = await started();
  await user.upload('passport_page', await anyPicture());
  await user.upload('selfie', await anyPicture());
  await user.noMovements();
  return { id, user };
};

const renew = (id: string) => call(harness, 'POST', `/v1/verifications/${id}/link`, { key });
const linesOf = async (id: string) => {
  const lines = await harness.rows<{ type: string }>`
    select type from ledger where subject_id = ${id} order by sequence`;
  return lines.map(({ type }) => type.replace('verification.', ''));
};
const kindsOf = async (id: string) =>
  (await harness.rows<{ kind: string }>`select kind from evidence where verification_id = ${id}`).map(
    ({ kind }) => kind,
  );

/** A step, the flow that it belongs to, and the words of the page before and after it. */
const steps = [
  {
    name: 'Start',
    flow: created,
    press: (user: User) => user.start(),
    line: 'started',
    before: 'Prove who you are',
    after: 'Which document',
  },
  {
    name: 'Send',
    flow: ready,
    press: (user: User) => user.submit(),
    line: 'submitted',
    before: 'Is everything right?',
    after: 'everything has been sent',
  },
  {
    name: 'Stop',
    flow: ready,
    press: (user: User) => user.press('withdraw'),
    line: 'withdrawn',
    before: 'Is everything right?',
    after: 'I agree that',
  },
  {
    name: 'another way',
    flow: created,
    press: (user: User) => user.decline(),
    line: 'completed',
    before: 'Prove who you are',
    after: undefined,
  },
];

describe.each(steps)('$name at the same time as a fresh link', ({ flow, press, line, before, after }) => {
  test('does nothing if the link comes first: the person reads that the old link is unknown', async () => {
    const { id, user } = await flow();
    const [was, kinds] = [await linesOf(id), await kindsOf(id)];
    const [renewed, page] = await inOrder(
      harness,
      () => renew(id),
      () => press(user),
    );
    expect(page.status).toBe(404);
    expect(page.text).toContain('We do not know this link');
    expect(await linesOf(id)).toEqual([...was, 'link_renewed']);
    expect(await kindsOf(id)).toEqual(kinds);
    expect((await person(harness, renewed.json.verify_url).look()).text).toContain(before);
  });

  test('is done if it comes first, and the fresh link goes on after it', async () => {
    const { id, user } = await flow();
    const was = await linesOf(id);
    const [, renewed] = await inOrder(
      harness,
      () => press(user),
      () => renew(id),
    );
    if (after === undefined) {
      expect([renewed.status, renewed.json.error?.code]).toEqual([409, 'already_completed']);
      expect(await linesOf(id)).toEqual([...was, line]);
      return;
    }
    expect((await linesOf(id)).slice(0, was.length + 2)).toEqual([...was, line, 'link_renewed']);
    expect((await person(harness, renewed.json.verify_url).look()).text).toContain(after);
  });
});

describe('a picture at the same time as a fresh link', () => {
  test('is not stored if the link comes first, and the person reads that the old link is unknown', async () => {
    const { id, user } = await started();
    const [renewed, page] = await inOrder(
      harness,
      () => renew(id),
      async () => user.upload('passport_page', await anyPicture()),
    );
    expect(page.status).toBe(404);
    expect(page.text).toContain('We do not know this link');
    expect(await kindsOf(id)).toEqual([]);
    expect((await person(harness, renewed.json.verify_url).look()).text).toContain('Which document');
  });

  test('is stored if it comes first, and the fresh link goes on after it', async () => {
    const { id, user } = await started();
    const [, renewed] = await inOrder(
      harness,
      async () => user.upload('passport_page', await anyPicture()),
      () => renew(id),
      'evidence',
    );
    expect(await kindsOf(id)).toEqual(['passport_page']);
    const { text } = await person(harness, renewed.json.verify_url).look();
    expect(text).not.toContain('Which document');
  });
});

test('a command that an earlier version stored names no link, and is carried out', async () => {
  const { id } = await created();
  await renew(id);
  const data = JSON.stringify({ consent: { version: 1, language: 'en' } });
  await harness.rows`
    insert into commands (verification_id, request_id, name, data) values (${id}, 'req_before', 'start', ${data})`;
  const order = { verificationId: id, orgId, environment: 'live', requestId: 'req_before' } as const;
  expect(await recordStart(harness.ctx, order)).toMatchObject({ status: 'in_progress' });
});
