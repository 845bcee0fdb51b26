import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { joins } from '#test/support/people/console.ts';

const harness = await startHarness();
const { url } = await harness.startConsole();
const { key } = await harness.key({ org: 'Acme' });
const developer = await joins(harness, url, { role: 'developer' });

test('a member completes a sandbox verification with a scenario, as a key can, and the line names the member', async () => {
  const body = { sandbox: { auto_complete: false } };
  const { id } = (await call(harness, 'POST', '/v1/verifications', { key, body })).json;
  const path = `/verifications/${id}`;
  const done = await developer.visitor.submit(path, `${path}/complete`, { scenario: 'rejected' });
  expect(done.location).toBe(`${path}?notice=saved`);
  const { json } = await call(harness, 'GET', `/v1/verifications/${id}`, { key });
  expect(json).toMatchObject({ status: 'completed', verdict: { outcome: 'rejected', reviewed: false } });
  const [line] = await harness.rows<{ data: object }>`
    select data from ledger where subject_id = ${id} and type = 'verification.completed'`;
  expect(line?.data).toMatchObject({ actor: { kind: 'member', id: developer.memberId } });
  expect((await developer.visitor.get(path)).html).not.toContain(`${path}/complete`);
  const again = await developer.visitor.submit(path, `${path}/complete`, { scenario: 'approved' });
  expect(again.status).toBe(409);
  expect((await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json).toEqual(json);
});

test.each([['moon'], ['']])(
  'the unknown result "%s" is a fault beside the field, and nothing is completed',
  async (scenario) => {
    const body = { sandbox: { auto_complete: false } };
    const { id } = (await call(harness, 'POST', '/v1/verifications', { key, body })).json;
    const path = `/verifications/${id}`;
    const { status, html } = await developer.visitor.submit(path, `${path}/complete`, { scenario });
    expect(status).toBe(422);
    expect(html).toMatch(/id="scenario-fault">Choose one of the outcomes/);
    expect((await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json.status).toBe('pending');
  },
);

test('a live verification is not completed by hand', async () => {
  const live = await harness.key({ org: 'Acme', environment: 'live' });
  const { id } = (await call(harness, 'POST', '/v1/verifications', { key: live.key })).json;
  const path = `/verifications/${id}`;
  expect((await developer.visitor.get(path)).html).not.toContain(`${path}/complete`);
  const sent = await developer.visitor.submit(path, `${path}/complete`, { scenario: 'approved' });
  expect(sent.status).toBe(409);
  expect(sent.html).toContain('Only a sandbox verification');
  const { json } = await call(harness, 'GET', `/v1/verifications/${id}`, { key: live.key });
  expect(json.status).toBe('pending');
});

test('the history links to the workflow where the configuration says where Temporal is shown', async () => {
  const { id } = (await call(harness, 'POST', '/v1/verifications', { key })).json;
  const path = `/verifications/${id}`;
  expect((await developer.visitor.get(path)).html).not.toContain('in Temporal</a>');
  const workflowsUrl = 'https://temporal.example/namespaces/default/workflows/';
  const linked = await harness.startConsole({ workflowsUrl });
  const other = await joins(harness, linked.url, { role: 'developer' });
  expect((await other.visitor.get(path)).html).toContain(`href="${workflowsUrl}verification%2F${id}"`);
});
