import type { DestinationStream } from 'pino';
import { expect } from 'vitest';
import type { IncomeReader } from '#activities/checks/port.ts';
import type { Banks } from '#activities/eid/port.ts';
import { IncomeCheck } from '#contract/income/check.ts';
import { incomeReader } from '#test/support/examiners/income-reader.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';

/** Income checks of a partner in live, read by the real reader, which fails as often as `plan` says. */
export async function startIncomeCases({ logTo, banks }: { logTo?: DestinationStream; banks?: Banks } = {}) {
  const real = await incomeReader();
  const plan = { failures: 0 };
  const papers: IncomeReader = {
    ...real,
    async read(pdf) {
      if (plan.failures-- > 0) throw new Error('geheim: what was read');
      return real.read(pdf);
    },
  };
  const harness = await startHarness({ papers, ...(logTo && { logTo }), ...(banks && { banks }) });
  const partner = await startPartner(harness, { org: 'Acme', environment: 'live' });
  const { key } = partner;

  const create = async (body: object = {}, own = key) => {
    const { json, status } = await call(harness, 'POST', '/v1/income-checks', { key: own, body });
    expect(status).toBe(201);
    const user = person(harness, json.upload_url);
    await user.start();
    return { id: json.id as string, user };
  };
  type Case = Awaited<ReturnType<typeof create>>;

  const handIn = async ({ user }: Case, ...pdfs: Buffer[]) => {
    for (const pdf of pdfs) expect((await user.paper(pdf)).text).toContain('Send');
  };
  const read = async (id: string, own = key) =>
    IncomeCheck.parse((await call(harness, 'GET', `/v1/income-checks/${id}`, { key: own })).json);
  const completed = async (id: string, own = key) => {
    await expect.poll(async () => (await read(id, own)).status, { timeout: 40_000 }).toBe('completed');
    return read(id, own);
  };
  const sent = async (body: object, ...pdfs: Buffer[]) => {
    const started = await create(body);
    await handIn(started, ...pdfs);
    await started.user.submit();
    return { ...started, found: await completed(started.id) };
  };
  return { harness, partner, papers, plan, create, handIn, read, completed, sent };
}

export const resultOf = (found: IncomeCheck, kind: string, document?: string) =>
  found.verdict?.checks.find((each) => each.kind === kind && (!document || each.document_id === document))
    ?.result;
