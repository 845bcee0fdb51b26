import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * The addresses of a name, behind the alias `cname` if it is given. If `code` is given, the answer is a failure without addresses.
 */
export type Answer = {
  a?: readonly string[];
  aaaa?: readonly string[];
  cname?: string;
  /** The code of a failure: 2 is SERVFAIL, 3 is NXDOMAIN. */
  code?: number;
  /** If true, the answer over UDP is empty and marked as truncated. The full answer comes over TCP. */
  truncated?: boolean;
  /** A query for one of these types gets no answer. */
  silent?: readonly ('A' | 'AAAA')[];
};

const typeNames: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' };

/** Starts a name server on loopback for UDP and TCP. It records every query. The test can change the answers at any time. */
export async function startNameServer() {
  const answers = new Map<string, Answer>();
  const queries: string[] = [];

  function replyTo(query: Buffer, byUdp: boolean): Buffer | undefined {
    const { name, type, end } = questionOf(query);
    queries.push(`${type} ${name}`);
    const answer = answers.get(name) ?? { code: 3 };
    if (answer.silent?.includes(type)) return undefined;
    const truncated = byUdp && answer.truncated === true;
    const records = truncated || answer.code ? [] : recordsOf(answer, type);
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (truncated ? 0x0200 : 0) | (answer.code ?? 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    return Buffer.concat([header, query.subarray(12, end), ...records]);
  }

  const tcp = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      const reply = replyTo(data.subarray(2), false);
      if (reply === undefined) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(reply.length);
      socket.write(Buffer.concat([length, reply]));
    });
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4');
  udp.on('message', (query, from) => {
    const reply = replyTo(query, true);
    if (reply !== undefined) udp.send(reply, from.port, from.address);
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');

  return {
    address: `127.0.0.1:${port}`,
    answers,
    queries,
    stop() {
      udp.close();
      tcp.close();
    },
  };
}

function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: typeNames[query.readUInt16BE(at + 1)] ?? 'A',
    end: at + 5,
  };
}

const pointerToQuestion = Buffer.from([0xc0, 12]);

function recordsOf({ a = [], aaaa = [], cname }: Answer, type: 'A' | 'AAAA'): Buffer[] {
  const owner = cname === undefined ? pointerToQuestion : wireName(cname);
  const addresses = type === 'A' ? a.map(ipv4Bytes) : aaaa.map(ipv6Bytes);
  const own = addresses.map((bytes) => record(owner, type === 'A' ? 1 : 28, bytes));
  return cname === undefined ? own : [record(pointerToQuestion, 5, wireName(cname)), ...own];
}

/** Writes one record of class IN with a time to live of 0. */
function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fixed, data]);
}

const wireName = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);

const ipv4Bytes = (address: string) => Buffer.from(address.split('.').map(Number));

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [groups(head), groups(tail)];
  const all = [...first, ...Array(8 - first.length - last.length).fill(0), ...last];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}
