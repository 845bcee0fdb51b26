import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { addressRules } from '#platform/outbound/addresses.ts';
import { type Answer, startNameServer } from './name-server.ts';
import {
  allCloseAfterEach,
  answered,
  loopback,
  newSender,
  onRequest,
  outcomeOf,
  post,
  tlsReceiver,
} from './receivers.ts';

allCloseAfterEach();

const host = 'hooks.partner.example';
let names: Awaited<ReturnType<typeof startNameServer>>;
let receiver: Awaited<ReturnType<typeof tlsReceiver>>;
let serverNames: unknown[];
beforeAll(async () => {
  names = await startNameServer();
});
afterAll(() => names.stop());
beforeEach(async () => {
  names.answers.clear();
  names.queries.length = 0;
  serverNames = [];
  receiver = await tlsReceiver((socket) => {
    serverNames.push(socket.servername);
    onRequest(socket, () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  }, inject('receiverTls'));
});

const refused = { answered: false, phase: 'resolve', reason: 'address_not_allowed' };
const unknown = { answered: false, phase: 'resolve', reason: 'name_not_resolved' };
const late = { answered: false, phase: 'resolve', reason: 'timed_out' };
const sender = (rules = loopback) => newSender({ rules, dnsServers: [names.address] });
const postTo = (name = host, by = sender()) => post(`https://${name}:${receiver.port}/`, by);
const many = (count: number) => Array.from({ length: count }, () => '127.0.0.1');

test.each<[string, Answer, object]>([
  ['an address', { a: ['127.0.0.1'] }, answered(200)],
  ['an alias of one', { a: ['127.0.0.1'], cname: 'edge.partner.example' }, answered(200)],
  ['a dead address before one that lives', { a: ['127.0.0.2', '127.0.0.1'] }, answered(200)],
  ['two hundred addresses', { a: many(200), truncated: true }, answered(200)],
  ['a thousand addresses', { a: many(1_000), truncated: true }, answered(200)],
  ['an address, while the other family is silent', { a: ['127.0.0.1'], silent: ['AAAA'] }, answered(200)],
  ['a private address', { a: ['10.0.0.1'] }, refused],
  ['the address of cloud metadata', { a: ['169.254.169.254'] }, refused],
  ['the address of a cloud host', { a: ['168.63.129.16'] }, refused],
  ['a private address after a good one', { a: ['127.0.0.1', '10.0.0.1'] }, refused],
  ['a private address among a thousand', { a: [...many(999), '10.0.0.1'], truncated: true }, refused],
  ['a private IPv6 address beside a good IPv4', { a: ['127.0.0.1'], aaaa: ['fd00:ec2::254'] }, refused],
  ['an alias of a private address', { a: ['192.168.0.1'], cname: 'edge.partner.example' }, refused],
  ['a public name for IPv6 loopback', { aaaa: ['::1'] }, refused],
  ['IPv4 loopback in IPv6, translated', { aaaa: ['64:ff9b::7f00:1'] }, refused],
  ['nothing', {}, unknown],
  ['NXDOMAIN', { code: 3 }, unknown],
  ['SERVFAIL', { code: 2 }, unknown],
  ['an alias of nothing', { cname: 'edge.partner.example' }, unknown],
  ['silence', { silent: ['A', 'AAAA'] }, late],
])('a name that leads to %s', async (_, answer, outcome) => {
  names.answers.set(host, answer);
  expect(outcomeOf(await postTo())).toEqual(outcome);
  expect(receiver.connections()).toBe('status' in outcome ? 1 : 0);
});

test('a name is looked up once per connection, so what was judged is what is connected to', async () => {
  names.answers.set(host, { a: ['127.0.0.1'] });
  await postTo();
  expect(names.queries.sort()).toEqual([`A ${host}`, `AAAA ${host}`]);
});

test('the certificate is asked for by name and has to bear it, whatever the address', async () => {
  names.answers.set(host, { a: ['127.0.0.1'] });
  names.answers.set('other.partner.example', { a: ['127.0.0.1'] });
  expect(outcomeOf(await postTo())).toEqual(answered(200));
  expect(outcomeOf(await postTo(`${host}.`))).toEqual(answered(200));
  expect(serverNames).toEqual([host, host]);
  expect(outcomeOf(await postTo('other.partner.example'))).toEqual({
    answered: false,
    phase: 'tls',
    reason: 'tls_failed',
  });
});

test('a name that turns to a private address is refused from its next connection on', async () => {
  const by = sender();
  names.answers.set(host, { a: ['127.0.0.1'] });
  expect(outcomeOf(await postTo(host, by))).toEqual(answered(200));
  names.answers.set(host, { a: ['10.0.0.1'] });
  expect(outcomeOf(await postTo(host, by)), 'on the connection that is open').toEqual(answered(200));
  await expect.poll(async () => outcomeOf(await postTo(host, by)), { interval: 400 }).toEqual(refused);
  expect(receiver.connections()).toBe(1);
});

test('a name that was good at registration is judged anew: production rules let no loopback through', async () => {
  names.answers.set(host, { a: ['127.0.0.1'] });
  expect(outcomeOf(await postTo(host, sender(addressRules([]))))).toEqual(refused);
  expect(receiver.connections()).toBe(0);
});

test('a name server that answers nothing ends with the attempt, even when its own time is longer', async () => {
  names.answers.set(host, { silent: ['A', 'AAAA'] });
  const by = newSender({ dnsServers: [names.address], timeoutMs: 200, resolveTimeoutMs: 60_000 });
  expect(outcomeOf(await postTo(host, by))).toEqual(late);
});

test('a name is never completed by a search list, and no local name is known', async () => {
  names.answers.set('partner.example', { a: ['127.0.0.1'] });
  for (const name of ['kubernetes.default', 'hooks.partner'])
    expect(outcomeOf(await postTo(name))).toEqual(unknown);
});
