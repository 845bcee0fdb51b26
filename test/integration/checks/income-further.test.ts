import { PassThrough } from 'node:stream';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { describe, expect, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { bankFlow } from '#test/support/people/bank-flow.ts';
import { atBank, press, simulatedBanks } from '#test/support/people/idin.ts';
import { layouts, slipOf } from '#test/support/specimens/income/small/paper.ts';
import { resultOf, startIncomeCases } from './income-cases.ts';

const log = new PassThrough();
let logged = '';
log.on('data', (chunk) => (logged += chunk));
const { banks, agree } = await simulatedBanks();
const { harness, partner, plan, create, handIn, completed, sent } = await startIncomeCases({
  logTo: log,
  banks,
});
await agree(harness.ctx, 'Acme');
const [layout = '', other = ''] = Object.keys(layouts);

describe('in live', () => {
  test('a document that comes again in another income check of the organisation is found, and of no other', async () => {
    const slip = await slipOf(other, { net: '2.684,44' });
    const first = await sent({}, slip);
    expect(resultOf(first.found, 'duplicate')).toBe('passed');
    expect(resultOf((await sent({}, slip)).found, 'duplicate')).toBe('doubt');
    const stranger = await harness.key({ environment: 'live', org: 'Other' });
    const elsewhere = await create({}, stranger.key);
    await handIn(elsewhere, slip);
    await elsewhere.user.submit();
    expect(resultOf(await completed(elsewhere.id, stranger.key), 'duplicate')).toBe('passed');
  });

  test('a sum that does not hold is in doubt, on the document that has it', async () => {
    const { found } = await sent({}, await slipOf(layout), await slipOf(other, { net: '2.684,45' }));
    const [right, wrong] = found.documents.map(({ id }) => id);
    expect(resultOf(found, 'arithmetic', right)).toBe('passed');
    expect(resultOf(found, 'arithmetic', wrong)).not.toBe('passed');
    expect(found.verdict?.outcome).toBe('review');
  });

  test('the name is compared with the one that a bank confirmed in the linked verification', async () => {
    const bank = bankFlow(harness, partner);
    const { id: linked, user } = await bank.started();
    await bank.back(await press(await atBank(user), { choice: 'success', persona: 'plain' }));
    await bank.completed(linked);
    const own = await slipOf(layout, { name: 'J. Jansen' });
    const foreign = await slipOf(other);
    const { found } = await sent({ verification_id: linked }, own, foreign);
    const [first, second] = found.documents.map(({ id }) => id);
    expect(resultOf(found, 'name_match', first)).toBe('passed');
    expect(resultOf(found, 'name_match', second)).toBe('doubt');
  });

  test('a file that cannot be read gives no result, and a person looks', async () => {
    const broken = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2_000, 7)]);
    const { found } = await sent({}, broken);
    expect(found).toMatchObject({ result: null, documents: [{ type: null, pages: null }] });
    expect(found.verdict?.outcome).toBe('review');
  });

  test('a reading that fails for a time is made again, and the log and Temporal learn nothing of what was read', async () => {
    plan.failures = 1;
    const { found, id } = await sent({}, await slipOf(layout));
    expect(found.result).toMatchObject({ net_cents: 268_444 });
    const run = harness.temporal.workflow.getHandle(verificationWorkflowId(id));
    const history = JSON.stringify([historyToJSON(await run.fetchHistory()), (await run.describe()).raw]);
    expect(history.replaceAll(/"data":"([A-Za-z0-9+/=]+)"/g, (_, data) => atob(data))).not.toMatch(
      /geheim|Linde|268444|%PDF/,
    );
    expect(logged).not.toMatch(/geheim|Linde|268444/);
  });
});
