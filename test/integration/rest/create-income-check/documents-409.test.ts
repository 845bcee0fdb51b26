import { expect, test } from 'vitest';
import { type LinkSource, linkToken } from '#services/views/link.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { joins } from '#test/support/people/console.ts';
import { slipOf } from '#test/support/specimens/income/small/paper.ts';

// Without a worker, what was sent stays open.
const harness = await startHarness({ worker: false });
const { key } = await harness.key({ environment: 'live', org: 'Acme' });
const { url } = await harness.startConsole();
const { visitor } = await joins(harness, url, { org: 'Acme', role: 'owner' });

const content = (await slipOf('english')).toString('base64');
const body = { documents: [{ content_type: 'application/pdf', content_base64: content }] };
const { json } = await call(harness, 'POST', '/v1/income-checks', { key, body });

test('who sent the documents with the request cannot cancel any more, and gets no link', async () => {
  expect(json).toMatchObject({ status: 'in_progress', upload_url: null });
  for (const change of ['link', 'cancel']) {
    const answer = await call(harness, 'POST', `/v1/income-checks/${json.id}/${change}`, { key });
    expect([answer.status, answer.json.error.code]).toEqual([409, 'already_submitted']);
  }
});

test('no token opens a page of it', async () => {
  const [row] = await harness.rows<LinkSource>`
    select id, link_version as "linkVersion", link_key_id as "linkKeyId" from verifications where id = ${json.id}`;
  const token = linkToken(harness.ctx.secrets, row as LinkSource);
  expect((await fetch(`${harness.url}/verify/${token}`)).status).toBe(404);
});

test('the console shows no link of it, and offers none', async () => {
  const path = `/verifications/${json.id}`;
  const { status, html } = await visitor.get(path);
  expect(status).toBe(200);
  expect(html).not.toContain('/verify/');
  expect(html).not.toContain(`${path}/link`);
  expect(html).toContain(`${path}/erase`);
});
