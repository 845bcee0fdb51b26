import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPost } from '#activities/eid/idin/post.ts';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { bankFlow, waiting } from '#test/support/people/bank-flow.ts';
import { atBank, press, reasonOf, simulatedBanks } from '#test/support/people/idin.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { timersOf } from '#test/support/rows/runs.ts';

/** What a person and an acquirer can try who mean harm. Messages with faults are in the tests of faults. */

const { banks, agree } = await simulatedBanks();
const harness = await startHarness({ banks });
const partner = await startPartner(harness, { org: 'Acme', environment: 'live' });
await agree(harness.ctx, 'Acme');
const { started, back, statusOf, completed, visitsOf } = bankFlow(harness, partner);

const returnedAt = (id: string) =>
  harness.rows`select returned_at from eid_transactions where verification_id = ${id}`;
const notReturned = [{ returned_at: null }];

describe('a return', () => {
  test('with the code of one verification and the transaction of another is of neither', async () => {
    const [mine, other] = [await started(), await started()];
    const [own, foreign] = [await atBank(mine.user), await atBank(other.user)];
    const [to, from] = [await press(own, { choice: 'success' }), await press(foreign, { choice: 'success' })];
    const query = (code: URL, transaction: URL) =>
      `ec=${code.searchParams.get('ec')}&trxid=${transaction.searchParams.get('trxid')}`;
    for (const mixed of [query(to, from), query(from, to)])
      expect((await call(harness, 'GET', `/verify/from-bank?${mixed}`)).status).toBe(404);
    expect([await returnedAt(mine.id), await returnedAt(other.id)]).toEqual([notReturned, notReturned]);
  });

  test('of another person leads to the page of that person, and changes nothing of mine', async () => {
    const [mine, other] = [await started(), await started()];
    await atBank(mine.user);
    const foreign = await press(await atBank(other.user), { choice: 'success', persona: 'plain' });
    const { headers } = await back(foreign);
    expect(String(headers.location).split('?')[0]).toBe(other.user.path.split('/').at(-1));
    expect((await completed(other.id)).verdict.outcome).toBe('approved');
    expect([await returnedAt(mine.id), await visitsOf(mine.id)]).toEqual([notReturned, ['open']]);
    expect((await statusOf(mine.id)).status).toBe('in_progress');
  });

  test('that is repeated a hundred times makes nobody ask the bank, and does not grow the run', async () => {
    const { id, user } = await started();
    const fault = 'bad-outer-signature';
    const returned = await press(await atBank(user), { choice: 'success', persona: 'plain', fault });
    // The answer is refused, so the visit stays open.
    await back(returned);
    const asks = async () =>
      (
        await harness.rows<{ asks: number }>`
        select asks from eid_transactions where verification_id = ${id}`
      )[0]?.asks ?? 0;
    await vi.waitFor(async () => expect(await asks()).toBeGreaterThan(0), waiting);
    await harness.rows`
      update eid_transactions set next_ask_at = now() + interval '2 hours' where verification_id = ${id}`;
    // The run has seen that nothing is due for long.
    const settled = expect.arrayContaining([
      expect.toSatisfy((seconds: number) => seconds > 7_000 && seconds <= 7_200),
    ]);
    await vi.waitFor(async () => expect(await timersOf(harness, id)).toEqual(settled), waiting);
    const eventsOf = async () => {
      const { historyLength } = await harness.temporal.workflow
        .getHandle(verificationWorkflowId(id))
        .describe();
      return historyLength;
    };
    const before = [await eventsOf(), await asks()];
    for (let i = 0; i < 100; i++) expect((await back(returned)).status).toBe(303);
    expect([await eventsOf(), await asks()]).toEqual(before);
  });
});

test('the name of a bank is text on the page, whatever the acquirer writes', async () => {
  const { user } = await started();
  const named = [{ id: 'SIMBNL2A', name: '<script>alert(1)</script>', country: 'Nederland' }];
  const [before] = await harness.rows<{ issuers: object }>`select issuers from eid_contracts`;
  const set = (issuers: unknown) =>
    harness.rows`update eid_contracts set issuers = ${JSON.stringify(issuers)}::jsonb`;
  await set(named);
  onTestFinished(async () => void (await set(before?.issuers)));
  const { text } = await user.look();
  expect(text).toContain('&lt;script>alert(1)');
  expect(text).not.toContain('<script>alert');
});

describe('an acquirer that', () => {
  /** Sends one message to a server that answers like this. */
  async function posted(answer: RequestListener, timeoutMs = 30_000) {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return reasonOf(createPost({ timeoutMs })(`http://127.0.0.1:${port}/status`, '<x/>'));
  }

  /** Writes as long as the other side takes it, and tells when that ended. */
  function floods() {
    let sent = 0;
    const ended = Promise.withResolvers<void>();
    const flood: RequestListener = (_, response) => {
      const chunk = Buffer.alloc(64 * 1024, ' ');
      const more = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', more).on('close', () => ended.resolve());
      more();
    };
    return { flood, sent: () => sent, ended: ended.promise };
  }

  test('sends without end is cut off, long before 50 MB', async () => {
    const { flood, sent, ended } = floods();
    expect(await posted(flood)).toBe('too_large');
    await ended;
    expect(sent()).toBeLessThan(10_000_000);
  });

  test('sends an error without end is cut off too', async () => {
    const { flood, sent, ended } = floods();
    const failing: RequestListener = (request, response) => {
      response.writeHead(500);
      flood(request, response);
    };
    expect(await posted(failing)).toBe('http_error 500');
    await ended;
    expect(sent()).toBeLessThan(10_000_000);
  });

  test('sends one byte after another is given up after the time for the whole answer', async () => {
    const drips: RequestListener = (_, response) => {
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    };
    expect(await posted(drips, 500)).toBe('late');
  });

  test.each([301, 302, 307, 308])('sends the question elsewhere (%s) is not followed', async (status) => {
    const asked: string[] = [];
    const elsewhere: RequestListener = (request, response) => {
      asked.push(String(request.url));
      response.writeHead(status, { location: '/elsewhere' }).end();
    };
    expect(await posted(elsewhere)).toBe(`http_error ${status}`);
    expect(asked).toEqual(['/status']);
  });

  test('closes the connection instead of an answer is named unreachable', async () => {
    expect(await posted((request) => request.socket.destroy())).toBe('unreachable');
  });
});
