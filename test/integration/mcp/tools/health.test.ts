import { expect, test } from 'vitest';
import { environments } from '#contract/enums.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { callTool } from '#test/support/people/agent.ts';

const harness = await startHarness({ worker: false });

test.each(environments)(
  'with a %s key: reached, environment, rights, and nothing besides',
  async (environment) => {
    covers('4.2/health');
    const { key } = await harness.key({ environment, grants: ['verify:read', 'webhooks:manage'] });
    const { version } = (await call(harness, 'GET', '/v1/health')).json;
    expect(await callTool(harness, key, 'health')).toEqual({
      status: 'ok',
      version,
      environment,
      scopes: ['verify:read', 'webhooks:manage'],
      isError: false,
      headers: expect.anything(),
    });
  },
);
