import { describe, expect, test } from 'vitest';
import { type Environment, environments, type Grant, grants } from '#contract/enums.ts';
import { covers } from '#test/requirements.ts';
import { startHarness } from '#test/support/harness.ts';
import { message, rpc } from '#test/support/people/agent.ts';

const harness = await startHarness({ worker: false });

const list = async (environment: Environment, itsGrants: Grant[] = [...grants]) => {
  const { key } = await harness.key({ environment, grants: itsGrants });
  const { status, json } = await rpc(harness, message('tools/list'), { key });
  expect(status).toBe(200);
  return json.result;
};

describe.each(environments)('with a %s key', (environment) => {
  test('the list is the one that is pinned', async () => {
    covers('4.2/tools-list');
    const text = `${JSON.stringify(await list(environment), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`../../../pins/tools-${environment}.json`);
  });

  test('the list is the same for all scopes', async () => {
    expect(await list(environment, [])).toEqual(await list(environment));
  });

  test('every tool says what it is for, what it takes and gives, and whether it writes', async () => {
    covers('4.2/read-and-write');
    const reading = ['get_verification', 'health', 'list_verifications', 'list_webhooks'];
    for (const tool of (await list(environment)).tools) {
      expect(Object.keys(tool).sort()).toEqual(
        ['annotations', 'description', 'inputSchema', 'name', 'outputSchema', 'title'].sort(),
      );
      expect(tool.annotations.readOnlyHint, tool.name).toBe(reading.includes(tool.name));
      for (const schema of [tool.inputSchema, tool.outputSchema])
        expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });
});

test('sandbox has seven tools, live all of them but complete_verification', async () => {
  covers('4.2/complete-verification-sandbox-only', '1/api-completion-sandbox-only');
  covers('4.3/no-webhook-read-or-delete-tool', '4.3/no-income-check-tool');
  const namesIn = async (environment: Environment) =>
    (await list(environment)).tools.map(({ name }: { name: string }) => name);
  const sandbox = await namesIn('sandbox');
  expect(sandbox).toEqual([
    'health',
    'start_verification',
    'get_verification',
    'list_verifications',
    'complete_verification',
    'create_webhook',
    'list_webhooks',
  ]);
  expect(await namesIn('live')).toEqual(sandbox.filter((name: string) => name !== 'complete_verification'));
});

test('a cursor that is sent means nothing: the list has one page', async () => {
  const { key } = await harness.key();
  for (const cursor of ['x', 7, null]) {
    const { json } = await rpc(harness, message('tools/list', { cursor }), { key });
    expect(json.result.tools).toHaveLength(7);
    expect(json.result).not.toHaveProperty('nextCursor');
  }
});
