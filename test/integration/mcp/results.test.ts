import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { toolsOf } from '#api/mcp/tools.ts';
import { environments } from '#contract/enums.ts';
import { covers } from '#test/requirements.ts';
import { startHarness } from '#test/support/harness.ts';
import { message, rpc } from '#test/support/people/agent.ts';

const harness = await startHarness();

/** Replaces values that differ from run to run by the name of their kind. */
const settled = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\/verify\/[\w-]{64}/g, '/verify/<token>')
    .replaceAll(/whsec_[\w-]{43}/g, 'whsec_<secret>')
    .replaceAll(/("version": |\\"version\\":|"version":)(\\?")[\d.]+/g, '$1$2<version>');

describe.each(environments)('with a %s key', (environment) => {
  test('the result of every tool is the one that is pinned, and one that fails', async () => {
    covers('4.2/tool-result', '4.2/tool-failure-is-a-result', '4.2/tools-call');
    const { key } = await harness.key({ org: `Pins ${environment}`, environment });
    const results: Record<string, unknown> = {};
    const ask = async (title: string, name: string, given: object = {}) => {
      const { json } = await rpc(harness, message('tools/call', { name, arguments: given }), { key });
      results[title] = json.result ?? json.error.message;
      return json.result?.structuredContent;
    };
    await ask('health', 'health');
    const { id } = await ask('start_verification', 'start_verification', { auto_complete: false });
    await ask('get_verification, pending', 'get_verification', { verification_id: id });
    if (environment === 'sandbox')
      await ask('complete_verification', 'complete_verification', {
        verification_id: id,
        scenario: 'review',
      });
    await ask('get_verification, later', 'get_verification', { verification_id: id });
    await ask('list_verifications', 'list_verifications');
    await ask('create_webhook', 'create_webhook', { url: 'https://hooks.partner-test.example/' });
    await ask('list_webhooks', 'list_webhooks');
    await ask('not found', 'get_verification', { verification_id: randomUUID() });
    await ask('not an argument', 'get_verification', { id });

    const asked = Object.keys(results).map((title) => title.split(',')[0]);
    expect(asked).toEqual(expect.arrayContaining([...toolsOf[environment].keys()]));
    await expect(settled(`${JSON.stringify(results, null, 2)}\n`)).toMatchFileSnapshot(
      `../../pins/results-${environment}.json`,
    );
  });
});
