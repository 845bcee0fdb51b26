import { expect, test } from 'vitest';
import { allCloseAfterEach, newSender, tlsReceiver } from '#test/integration/outbound-http/receivers.ts';
import { startHarness } from '#test/support/harness.ts';
import { joins } from '#test/support/people/console.ts';
import { type Partner, startPartner } from '#test/support/people/partner.ts';
import { queryAt } from '#test/support/servers/database.ts';
import { attempter, newDelivery } from './support.ts';

/** The developers of an organisation see with which headers each attempt was sent, and with which it was answered. */

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();
allCloseAfterEach();

const org = 'Acme';
const developer = await joins(harness, url, { org, role: 'developer' });
const auditor = await joins(harness, url, { org, role: 'auditor' });
const page = async (id: string, who = developer) => (await who.visitor.get(`/deliveries/${id}`)).html;

/** Makes an attempt with a real sender, at an endpoint that had none before. */
async function attempted(partner: Partner): Promise<string> {
  await newDelivery(harness, partner);
  const [{ id } = { id: '' }] = await harness.rows<{ id: string }>`
    select id from deliveries where endpoint_id = ${partner.endpoint.id}`;
  await attempter(harness, () => Promise.reject(), newSender())(id);
  return id;
}

/** A receiver that answers each request with these bytes, and closes the connection. */
async function answering(bytes: string) {
  const receiver = await tlsReceiver((socket) => socket.once('data', () => socket.end(bytes, 'latin1')));
  return startPartner(harness, { org, endpoint: { url: receiver.url } });
}

async function storedOf(id: string) {
  const [row] = await harness.rows<{ heads: Buffer; whole: string }>`
    select heads, t::text as whole from delivery_attempts t where delivery_id = ${id}`;
  const { heads = Buffer.alloc(0), whole = '' } = row ?? {};
  return { heads, whole, opened: harness.ctx.secrets.open('attempt-heads', `${id}/1`, heads) };
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

test('each attempt shows the headers that the receiver got, of a signature only the beginning', async () => {
  const headers = { server: 'nginx/1.27', 'x-request-id': 'a-1', 'set-cookie': 'session=kanarie-cookie' };
  const partner = await startPartner(harness, { org, query: '?a=1&b=2' }, { status: 503, headers });
  const id = await attempted(partner);
  const [got] = partner.receiver.received;
  const html = await page(id);
  expect(html).toContain('<code>POST /hooks?a=1&amp;b=2 HTTP/1.1</code>');
  const signature = got?.headers['x-service-signature'] ?? '';
  const shown = {
    ...got?.headers,
    'x-service-signature': `${signature.slice(0, 't=1234567890,v1='.length + 8)}…`,
  };
  for (const [name, value] of Object.entries(shown))
    expect(html.toLowerCase()).toContain(`<dt>${name}</dt><dd><code>${value}</code></dd>`.toLowerCase());
  expect(html).toContain('<dt>server</dt><dd><code>nginx/1.27</code></dd>');
  expect(html).toContain('<dt>x-request-id</dt><dd><code>a-1</code></dd>');
  expect(html).toMatch(/Their values are not kept[^<]*<code>set-cookie<\/code>/);

  const { whole, opened } = await storedOf(id);
  const [, digits = ''] = /v1=([\da-f]{64})$/.exec(signature) ?? [];
  for (const secret of [digits, digits.slice(0, 9), 'kanarie-cookie'])
    for (const place of [html, opened, whole]) expect(place).not.toContain(secret);
  for (const sealed of ['nginx', digits.slice(0, 8)])
    for (const text of [sealed, Buffer.from(sealed).toString('hex')]) expect(whole).not.toContain(text);

  const seen = await page(id, auditor);
  for (const part of ['nginx', digits.slice(0, 8), '<details']) expect(seen).not.toContain(part);
});

test('a receiver that answers with secrets, markup, control characters and thousands of headers harms nobody', async () => {
  const secret = 'kanarie-of-a-receiver';
  const lines = [
    ...[`sEt-CoOkIe: a=${secret}`, `Set-Cookie: b=${secret};`, `\tb2=${secret}`, ` ${secret}: x`],
    ...[`WWW-Authenticate: Bearer realm="${secret}"`, `X-Api-Key: ${secret}`, `${secret}`],
    ...[`Location: /login?token=${secret}`, 'SERVER: <script>alert(1)</script>\u0007\u001b[2J'],
    ...['Via: 1.1 one', 'via: 1.1 two', 'Content-Length: 0'],
    ...Array.from({ length: 2_000 }, () => 'a: b'),
  ];
  const id = await attempted(await answering(`HTTP/1.1 302 X\r\n${lines.join('\r\n')}\r\n\r\n`));
  const html = await page(id);
  expect(html).toContain('redirect, which is not followed (302)');
  expect(html).toContain('<dt>location</dt><dd><code>/login…</code></dd>');
  expect(html).toContain(`<code>${escaped('<script>alert(1)</script>')}\u{FFFD}\u{FFFD}[2J</code>`);
  expect(html.match(/<dt>via<\/dt><dd><code>1\.1 (one|two)<\/code><\/dd>/g)).toHaveLength(2);
  expect(html).toContain(`${lines.length - 27} more lines are not kept.`);
  const { heads, opened } = await storedOf(id);
  for (const place of [html, opened]) expect(place).not.toContain(secret);
  expect(heads.length).toBeLessThan(2_000);
});

test.each([
  ['ten thousand headers', Array.from({ length: 10_000 }, (_, n) => `x-many-${n}: y`).join('\r\n')],
  ['a header of a megabyte', `server: ${'s'.repeat(1_000_000)}`],
])('of an answer with %s nothing is stored, and what was sent is', async (_, headers) => {
  const id = await attempted(await answering(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`));
  const html = await page(id);
  expect(html).toContain('the answer of the receiver was not HTTP');
  expect(html).toContain('<dt>X-Service-Event</dt>');
  expect(html).toContain('No answer came.');
  expect((await storedOf(id)).heads.length).toBeLessThan(500);
});

test('an attempt that never reached its receiver says that nothing was sent', async () => {
  const partner = await startPartner(harness, { org });
  await partner.receiver.stop();
  const id = await attempted(partner);
  const [row] = await harness.rows`select phase, heads from delivery_attempts where delivery_id = ${id}`;
  expect(row).toEqual({ phase: 'connect', heads: null });
  expect(await page(id)).toContain('Nothing was sent');
});

test('without them, as after an erasure or of an earlier version, the page says that none are kept', async () => {
  const id = await attempted(await startPartner(harness, { org }));
  expect(await page(id)).toContain('<code>HTTP/1.1 200</code>');
  await harness.rows`update delivery_attempts set heads = null where delivery_id = ${id}`;
  const html = await page(id);
  expect(html).toContain('No headers are kept.');
  expect(html).toContain('{&quot;received&quot;:true}');
});

test('the version before finds answers that are too old by the index that took the place of its own', async () => {
  const plan = await queryAt(
    harness.databaseUrl,
    'set enable_seqscan = off',
    `explain select delivery_id from delivery_attempts where started_at < now() and answer is not null
     order by started_at limit 10`,
  );
  expect(JSON.stringify(plan)).toContain('Index Scan using delivery_attempts_with_contents');
});
