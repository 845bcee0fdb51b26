import { expect, test } from 'vitest';
import { calendarDay } from '#contract/time.ts';
import { createOrderSweep } from '#services/deliveries/carry-out-orders.ts';
import { startHarness } from '#test/support/harness.ts';
import { joins } from '#test/support/people/console.ts';
import { type Partner, startPartner } from '#test/support/people/partner.ts';
import type { Received } from '#test/support/people/receiver.ts';
import { zoneOfAnotherDay } from '#test/support/zone-of-another-day.ts';

/** All failed deliveries of some days are sent again by one order, which the sweep carries out. */

const harness = await startHarness({ retryWaitsMs: [] });
const { url } = await harness.startConsole();
const today = calendarDay(new Date());

const statusesOf = async ({ endpoint }: Partner, trigger: string) => {
  const rows = await harness.rows<{ status: string }>`
    select status from deliveries where endpoint_id = ${endpoint.id} and trigger = ${trigger} order by created_at, id`;
  return rows.map(({ status }) => status);
};
const ordersOf = ({ endpoint }: Partner) =>
  harness.rows<{ expected: number; looked: number; sent: number; ended: boolean }>`
    select expected, looked_at as looked, sent, ended_at is not null as ended
    from delivery_orders where endpoint_id = ${endpoint.id} order by created_at`;

/** An organisation whose receiver refuses until it is mended, with as many failed deliveries. */
async function withFailed(org: string, count: number) {
  const state = { isMended: false };
  const partner = await startPartner(harness, { org }, () => ({ status: state.isMended ? 200 : 500 }));
  for (let n = 0; n < count; n++)
    await partner.ask('POST', '/verifications', { reference: `${org} ${n}`, method: 'document_only' });
  await expect
    .poll(() => statusesOf(partner, 'event'), { timeout: 30_000 })
    .toEqual(Array(count).fill('failed'));
  const mend = () => {
    state.isMended = true;
    return partner.receiver.received.splice(0);
  };
  const developer = await joins(harness, url, { org, role: 'developer' });
  const order = (from = today, until = today) =>
    developer.visitor.submit(partner.path, `${partner.path}/resend-failed`, {
      ...{ failed_from: from, failed_until: until },
    });
  const page = async () => (await developer.visitor.get(partner.path)).html;
  return { partner, mend, developer, order, page };
}
const bodies = (received: readonly Received[]) => received.map(({ body }) => body.toString()).sort();

test('all failed events of the day are sent again, each once, with the same bytes; the page shows the progress', async () => {
  const { partner, mend, order, page, developer } = await withFailed('Several', 5);
  const sent = mend();
  expect((await order()).location).toBe(`${partner.path}?notice=resends_ordered`);
  await expect
    .poll(() => statusesOf(partner, 'resend'), { timeout: 30_000 })
    .toEqual(Array(5).fill('delivered'));
  expect(bodies(partner.receiver.received)).toEqual(bodies(sent));
  await expect.poll(() => ordersOf(partner)).toEqual([{ expected: 5, looked: 5, sent: 5, ended: true }]);
  expect(await page()).toContain('5 of 5 queued again<br/>5 arrived, 0 failed again, 0 under way');
  const [line] = await harness.rows<{ data: object }>`
    select data from ledger where subject_id = ${partner.endpoint.id} order by sequence desc limit 1`;
  expect(line?.data).toMatchObject({ failed: 5, actor: { kind: 'member', id: developer.memberId } });
});

test('what arrived meanwhile, another endpoint and another day are left out', async () => {
  const { partner, mend, order } = await withFailed('Choosy', 3);
  const neighbour = await withFailed('Neighbour', 1);
  mend();
  neighbour.mend();
  const [first] = await partner.deliveries('?status=failed&limit=1');
  await partner.ask('POST', `${partner.path}/deliveries/${first.id}/resend`);
  await expect.poll(() => statusesOf(partner, 'resend')).toEqual(['delivered']);
  await harness.rows`
    update deliveries set created_at = created_at - interval '3 days'
    where id = (select id from deliveries where endpoint_id = ${partner.endpoint.id} and trigger = 'event' order by created_at limit 1)`;
  await order();
  await expect.poll(() => ordersOf(partner)).toEqual([{ expected: 1, looked: 2, sent: 1, ended: true }]);
  await expect.poll(() => statusesOf(partner, 'resend')).toEqual(['delivered', 'delivered']);
  expect(partner.receiver.received).toHaveLength(2);
  expect(neighbour.partner.receiver.received).toEqual([]);
});

test('the days are those of the zone of the member; in another zone the order is said by its times', async () => {
  const { partner, mend, order, page, developer } = await withFailed('Abroad', 1);
  mend();
  const { timeZone, today, todayInUtc } = zoneOfAnotherDay();
  const preferences = { language: 'en', time_zone: timeZone };
  await developer.visitor.submit('/account', '/account/preferences', preferences);
  expect(await page()).toContain(`value="${today}"`);
  expect(await page()).toContain(
    `<small id="failed_from-hint">Time zone: ${timeZone.replace('_', ' ')}</small>`,
  );
  expect((await order(todayInUtc, todayInUtc)).html).toContain('Nothing was sent');
  expect((await order(today, today)).status).toBe(303);
  await expect.poll(() => statusesOf(partner, 'resend'), { timeout: 30_000 }).toEqual(['delivered']);
  expect(await page()).toContain(`>${today} – ${today}</td>`);
  const dutch = await joins(harness, url, { org: 'Abroad', role: 'developer' });
  const { html } = await dutch.visitor.get(partner.path);
  expect(html).not.toContain(`${today} – ${today}`);
  expect(html).toMatch(
    /<time datetime="[^"]+1[01]:00:00.000Z">.*?<\/time> – <time datetime="[^"]+1[01]:00:00.000Z">/,
  );
});

test('a wrong span is shown again beside its field, and without anything failed nothing is ordered', async () => {
  const { partner, order } = await withFailed('Careful', 1);
  for (const [from, until, field, words] of [
    ['yesterday', today, 'failed_from', 'Give a date such as'],
    ['', today, 'failed_from', 'Give a date such as'],
    [today, '', 'failed_until', 'Give a date such as'],
    [today, '2020-01-01', 'failed_until', 'Choose 1 to 31 days'],
    ['2020-01-01', today, 'failed_until', 'Choose 1 to 31 days'],
  ] as const) {
    const { status, html } = await order(from, until);
    expect([from, until, status, html.includes(`id="${field}-fault"`)]).toEqual([from, until, 422, true]);
    expect(html).toContain(words);
  }
  // The month in which summer time ends has 31 days and an hour.
  for (const until of ['2025-10-31', '2025-11-01'])
    expect([until, (await order('2025-10-01', until)).html.includes('Choose 1 to 31 days')]).toEqual([
      ...[until, until === '2025-11-01'],
    ]);
  const old = await order('2020-01-01', '2020-01-02');
  expect([old.status, old.html.includes('Nothing was sent')]).toEqual([409, true]);
  expect(await ordersOf(partner)).toEqual([]);
});

test('a second order while one is open is refused; what no worker has carried out is carried out by the next', async () => {
  const { partner, mend, order, page } = await withFailed('Patient', 2);
  mend();
  await harness.stopWorker();
  expect((await order()).status).toBe(303);
  expect(await page()).toContain('0 of 2 queued again<br/>0 arrived, 0 failed again, 0 under way');
  const second = await order();
  expect([second.status, second.html.includes('An earlier order')]).toEqual([409, true]);
  await harness.startWorker();
  await expect
    .poll(() => statusesOf(partner, 'resend'), { timeout: 30_000 })
    .toEqual(['delivered', 'delivered']);
  expect(partner.receiver.received).toHaveLength(2);
  const third = await order();
  expect([third.status, third.html.includes('each of those events arrived meanwhile')]).toEqual([409, true]);
  expect(await ordersOf(partner)).toEqual([{ expected: 2, looked: 2, sent: 2, ended: true }]);
  expect(partner.receiver.received).toHaveLength(2);
});

test('the order for an endpoint that is deleted meanwhile ends, and nothing is sent', async () => {
  const { partner, mend, order } = await withFailed('Gone', 1);
  mend();
  await harness.stopWorker();
  await order();
  await partner.ask('DELETE', partner.path);
  await harness.startWorker();
  await expect
    .poll(() => ordersOf(partner), { timeout: 30_000 })
    .toEqual([{ expected: 1, looked: 0, sent: 0, ended: true }]);
  expect(await statusesOf(partner, 'resend')).toEqual([]);
});

test('more failed deliveries than an order may send are all reached by further orders, and an order says that more are left', async () => {
  const { partner, mend, order, page } = await withFailed('Plenty', 5);
  const sent = mend();
  await harness.stopWorker();
  const sweep = createOrderSweep({ ...harness.ctx, retryWaitsMs: [] }, { sends: 3, lookedAt: 2 });
  const carryOut = async () => {
    await order();
    for (let n = 0; n < 5; n++) await sweep(new AbortController().signal);
    return (await ordersOf(partner)).at(-1);
  };
  expect(await carryOut()).toEqual({ expected: 5, looked: 3, sent: 3, ended: true });
  expect(await page()).toContain('and more are left');
  expect(await carryOut()).toEqual({ expected: 2, looked: 5, sent: 2, ended: true });
  const state =
    /2 of 2 queued again<br\/>0 arrived, 0 failed again, 2 under way<\/td>\s*<td[^>]*>([^<]*)/.exec(
      await page(),
    );
  expect(state?.[1]).toMatch(/^carried out, \D*$/);
  await harness.startWorker();
  await expect
    .poll(() => statusesOf(partner, 'resend'), { timeout: 30_000 })
    .toEqual(Array(5).fill('delivered'));
  expect(bodies(partner.receiver.received)).toEqual(bodies(sent));
  expect((await page()).match(/\d arrived, 0 failed again, 0 under way/g)).toEqual([
    '2 arrived, 0 failed again, 0 under way',
    '3 arrived, 0 failed again, 0 under way',
  ]);
});

test('an order says which of its events failed again, and counts none that was sent again by hand', async () => {
  const { partner, order, page } = await withFailed('Stubborn', 2);
  const [first] = await partner.deliveries('?status=failed&limit=1');
  await order();
  await expect.poll(page, { timeout: 30_000 }).toContain('0 arrived, 2 failed again, 0 under way');
  await partner.ask('POST', `${partner.path}/deliveries/${first.id}/resend`);
  await expect.poll(() => statusesOf(partner, 'resend')).toEqual(['failed', 'failed', 'failed']);
  expect(await page()).toContain('0 arrived, 2 failed again, 0 under way');
  // As an earlier version wrote them.
  await harness.rows`update deliveries set order_id = null where endpoint_id = ${partner.endpoint.id}`;
  expect(await page()).toContain('2 of 2 queued again</td>');
});
