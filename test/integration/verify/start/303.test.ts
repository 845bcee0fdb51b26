import { expect, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { Unavailable } from '#platform/failures.ts';
import { consentVersion } from '#services/flow/consent.ts';
import { recordStart } from '#services/flow/record.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { consented } from '#test/support/people/consented.ts';
import { person } from '#test/support/people/person.ts';
import { dataKeyOf } from '#test/support/rows/data-key.ts';
import { storedOf } from '../stored.ts';

const harness = await startHarness();
const stored = storedOf(harness);
const { key } = await harness.key({ environment: 'live' });
const created = async (method = 'document_only') =>
  (await call(harness, 'POST', '/v1/verifications', { key, body: { method } })).json;
const read = async (id: string) => (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json;
type Row = { orgId: string; status: string; createdAt: Date; linkExpiresAt: Date };
const rowOf = async (id: string) => {
  const [row] = await harness.rows<Row>`
    select org_id as "orgId", status, created_at as "createdAt", link_expires_at as "linkExpiresAt"
    from verifications where id = ${id}`;
  return row as Row;
};

test('without consent nothing starts, and the page says what is lacking', async () => {
  const { id, verify_url } = await created();
  const { status, text } = await person(harness, verify_url).press('start');
  expect(status).toBe(200);
  expect(text).toContain('tick every box first');
  expect(text).toMatch(/<input type="checkbox"[^>]* aria-describedby="fault"/);
  expect((await read(id)).status).toBe('pending');
});

test('the use of the document and the measuring of the face are two ticks, and one alone starts nothing', async () => {
  const { id, verify_url } = await created('document_liveness');
  const user = person(harness, verify_url);
  const boxes = (await user.look()).text.match(/<input type="checkbox"[^>]*>/g) ?? [];
  expect(boxes.map((box) => /value="(\w+)"/.exec(box)?.[1])).toEqual(['document', 'face']);
  for (const body of ['consent=document', 'consent=face', 'consent=document&consent=document', 'consent=yes'])
    expect((await user.press('start', { body })).text).toContain('tick every box first');
  expect((await read(id)).status).toBe('pending');
  await user.press('start', { body: 'consent=document&consent=face' });
  expect((await read(id)).status).toBe('in_progress');
  const [line] = await harness.rows`
    select data from ledger where subject_id = ${id} and type = 'verification.started'`;
  expect(line?.data).toMatchObject({
    consent: { version: consentVersion, language: 'en', agreed: ['document', 'face'] },
  });
});

test('the ledger keeps from where the consent came, sealed and beside the chain', async () => {
  const { id, verify_url } = await created();
  const { path } = person(harness, verify_url);
  await call(harness, 'POST', `${path}/start`, {
    rawBody: consented,
    headers: { 'user-agent': `Browser ${'x'.repeat(400)}` },
  });
  expect((await read(id)).status).toBe('in_progress');
  const [line] = await harness.rows<{ value: Buffer; data: object }>`
    select value, data from ledger_personal join ledger using (subject_id, sequence)
    where subject_id = ${id} and type = 'verification.started'`;
  expect(JSON.stringify(line?.data)).not.toMatch(/127\.0\.0\.1|Browser/);
  const dataKey = await dataKeyOf(harness.rows, harness.ctx.secrets, id);
  const opened = dataKey.open(`${id}/2`, line?.value ?? Buffer.alloc(0)).toString();
  expect(JSON.parse(opened)).toEqual({ address: '127.0.0.1', user_agent: `Browser ${'x'.repeat(292)}` });
  expect(await harness.rows`select request_id from commands where verification_id = ${id}`).toEqual([]);
});

test('with consent the verification is in progress, and the link lives for 24 hours from then', async () => {
  const { id, verify_url } = await created();
  const before = await rowOf(id);
  expect(before.linkExpiresAt.getTime() - before.createdAt.getTime()).toBe(7 * 86_400_000);
  expect((await person(harness, verify_url).start()).text).toContain('Which document do you want to use?');
  const after = await rowOf(id);
  expect(after.status).toBe('in_progress');
  const leftMs = after.linkExpiresAt.getTime() - Date.now();
  expect(leftMs).toBeGreaterThan(24 * 3_600_000 - 60_000);
  expect(leftMs).toBeLessThanOrEqual(24 * 3_600_000);
});

test('an expired link starts nothing, not even by a command that was on its way', async () => {
  const { id, verify_url } = await created();
  await stored.expire(id);
  await call(harness, 'POST', `${person(harness, verify_url).path}/start`, { rawBody: consented });
  const { orgId } = await rowOf(id);
  const order = { verificationId: id, orgId, environment: 'live', requestId: 'req_late' } as const;
  expect(await recordStart(harness.ctx, order)).toMatchObject({ status: 'pending', linkLeftMs: 0 });
  expect(await stored.lines(id)).toEqual(['verification.created']);
});

test('pressed many times at once, it starts once', async () => {
  const { id, verify_url } = await created();
  const user = person(harness, verify_url);
  const page = await user.look();
  const pressed = await Promise.all(
    Array.from({ length: 8 }, () => user.press('start', { body: consented }, page)),
  );
  expect(new Set(pressed.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await stored.lines(id)).toEqual(['verification.created', 'verification.started']);
});

test('a verification whose workflow was terminated by hand starts all the same', async () => {
  const { id, verify_url } = await created();
  await harness.temporal.workflow.getHandle(verificationWorkflowId(id)).terminate('by hand');
  await person(harness, verify_url).start();
  expect((await read(id)).status).toBe('in_progress');
});

test('going back after sending shows the page again, in its language', async () => {
  const { verify_url } = await created();
  const { path } = person(harness, verify_url);
  for (const pressed of ['start', 'picture', 'specimen', 'submit', '']) {
    const { status, headers } = await call(harness, 'GET', `${path}/${pressed}?lang=en&kind=selfie`);
    expect([status, headers.location], pressed).toEqual([303, `../${path.split('/').at(-1)}?lang=en`]);
  }
});

test('with Temporal away the page says so and keeps what there is; pressed again later, it starts', async () => {
  const { id, verify_url } = await created();
  const away = await harness.startApi({
    temporal: {
      ...harness.ctx.temporal,
      command: () => Promise.reject(new Unavailable('temporal')),
    },
  });
  const { status, text, headers } = await person(away, verify_url).start();
  expect(status).toBe(503);
  expect(headers['retry-after']).toBeDefined();
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(text).toContain('The service is not available right now.');
  await away.stop();
  await person(harness, verify_url).start();
  expect((await read(id)).status).toBe('in_progress');
});

test('a connection to Temporal that breaks after the start was recorded is no failure', async () => {
  const { verify_url } = await created();
  const { temporal } = harness.ctx;
  const broken = await harness.startApi({
    temporal: {
      ...temporal,
      command: async (...args) => {
        await temporal.command(...args);
        throw new Unavailable('temporal');
      },
    },
  });
  expect((await person(broken, verify_url).start()).text).toContain('Which document do you want to use?');
  await broken.stop();
});

test('more than 60 steps a minute on one link are refused, with a page and when to come again', async () => {
  const { verify_url } = await created();
  const user = person(harness, verify_url);
  const page = await user.look();
  const pressed = await Promise.all(Array.from({ length: 61 }, () => user.press('start', {}, page)));
  const refused = pressed.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(1);
  expect(refused[0]?.text).toContain('Wait a minute');
  expect(refused[0]?.headers['retry-after']).toBeDefined();
  expect((await user.look()).status).toBe(200);
});
