import { describe, expect, test, vi } from 'vitest';
import { scenarios } from '#contract/enums.ts';
import { sandboxDecision } from '#policy/verdicts/sandbox.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { press, simulatedBanks } from '#test/support/people/idin.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';

/** Where a simulator runs, all of sandbox goes to its banks. The organisation needs no contract. */

const { banks, simulator } = await simulatedBanks();
const harness = await startHarness({ banks, simulator });
const partner = await startPartner(harness, { org: 'Acme', environment: 'sandbox' });
const waiting = { timeout: 60_000, interval: 200 };

async function started(scenario: (typeof scenarios)[number]) {
  const body = { method: 'idin', sandbox: { scenario, auto_complete: false } };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key: partner.key, body });
  const user = person(harness, json.verify_url);
  await user.start();
  return { id: json.id as string, user };
}
type User = Awaited<ReturnType<typeof started>>['user'];

async function atBank(user: User, choice: string): Promise<void> {
  await user.press('bank', { body: 'bank=SIMBNL2B' });
  const address = () => user.look().then(({ text }) => /href="(http:[^"]+\/bank\/\d+)"/.exec(text)?.[1]);
  const page = await vi.waitFor(
    async () => (await address()) ?? expect.unreachable('no address yet'),
    waiting,
  );
  const { pathname, search } = await press(page, { choice, persona: 'plain' });
  await call(harness, 'GET', pathname + search);
}

const found = async (id: string) =>
  (await call(harness, 'GET', `/v1/verifications/${id}`, { key: partner.key })).json;

describe.each(scenarios)('with the scenario %s', (scenario) => {
  test('the person walks through a bank, and the scenario decides', async () => {
    const { id, user } = await started(scenario);
    expect((await user.look()).text).toContain('Choose your bank');
    await atBank(user, 'success');
    await vi.waitFor(async () => expect((await found(id)).status).toBe('completed'), waiting);
    const { outcome, assuranceLevel } = sandboxDecision('idin', scenario);
    const { verdict } = await found(id);
    expect(verdict).toMatchObject({ outcome, assurance_level: assuranceLevel });
    expect(verdict.reasons).toHaveLength(1);
    const event = await vi.waitFor(() => {
      const sent = partner.receiver.received.map(({ body }) => JSON.parse(String(body)));
      return sent.find(({ data }) => data.verification_id === id) ?? expect.unreachable('no event yet');
    }, waiting);
    expect(event.data).toMatchObject({ outcome, assurance_level: assuranceLevel });
  });
});

test.each([
  ['cancel', 'You stopped at your bank'],
  ['expire', 'It took too long at your bank'],
  ['fail', 'It did not work at your bank'],
])('after %s at the bank, the person chooses again, and the scenario still decides', async (choice, says) => {
  const { id, user } = await started('approved');
  await atBank(user, choice);
  await vi.waitFor(async () => expect((await user.look()).text).toContain(says), waiting);
  expect((await found(id)).status).toBe('in_progress');
  await atBank(user, 'success');
  await vi.waitFor(async () => expect((await found(id)).verdict?.outcome).toBe('approved'), waiting);
});

test('a simulator gives live nothing: without a contract of its own, an organisation is refused', async () => {
  const { key } = await harness.key({ org: 'Acme', environment: 'live' });
  const { status, json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { method: 'idin' },
  });
  expect([status, json.error.code]).toEqual([422, 'method_not_available']);
});
