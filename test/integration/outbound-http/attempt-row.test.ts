import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { allCloseAfterEach, onRequest, tcpReceiver, tlsReceiver } from './receivers.ts';

allCloseAfterEach();

const harness = await startHarness({ retryWaitsMs: [] });

type Row = {
  outcome: string;
  reason: string | null;
  phase: string | null;
  status: number | null;
  excerpt: string | null;
  ms: number;
};

/** Reads the row of the only attempt that the service makes to tell this endpoint of a verdict. */
async function attemptTo(url: string): Promise<Row> {
  const { key } = await harness.key({ org: url });
  expect((await call(harness, 'POST', '/v1/webhooks', { key, body: { url } })).status).toBe(201);
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body: {} });
  const rows = async () =>
    await harness.rows<Omit<Row, 'excerpt'> & { id: string; answer: Buffer | null }>`
        select a.outcome, a.reason, a.phase, a.response_status as status, a.answer, d.id,
          a.duration_ms as ms
        from delivery_attempts a join deliveries d on d.id = a.delivery_id join events e on e.id = d.event_id
        where e.verification_id = ${json.id} and a.outcome is not null`;
  await expect.poll(rows, { timeout: 30_000 }).toHaveLength(1);
  const [row] = await rows();
  if (row === undefined) throw new Error('no attempt');
  const { id, answer, ...attempt } = row;
  const excerpt = answer && harness.ctx.secrets.open('receiver-answer', `${id}/1`, answer);
  return { ...attempt, excerpt };
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

test('the row of an attempt says exactly what became of it', async () => {
  covers('6.4/2xx-is-success');
  let request = '';
  const stored = await tlsReceiver((socket) => {
    socket.on('data', (data) => {
      request += data.toString();
    });
    socket.once('data', () => socket.write(ok));
  });
  const sink = await tlsReceiver((socket) => onRequest(socket, () => socket.end(ok)));
  const moved = await tlsReceiver((socket) =>
    socket.once('data', () =>
      socket.write(`HTTP/1.1 302 Found\r\nlocation: ${sink.url}\r\ncontent-length: 4\r\n\r\nmove`),
    ),
  );
  const cut = await tlsReceiver((socket) => socket.once('data', () => socket.destroy()));
  const late = await tlsReceiver((socket) =>
    socket.once('data', () =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\npart', () => socket.destroy()),
    ),
  );
  const banner = await tlsReceiver((socket) => socket.once('data', () => socket.write('SSH-2.0-x\r\n')));
  const clear = await tcpReceiver((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n')),
  );

  const delivered = { outcome: 'delivered', reason: null, phase: 'body', status: 200 };
  const failed = (reason: string, phase: string) => ({
    outcome: 'failed',
    reason,
    phase,
    status: null,
    excerpt: null,
  });
  expect(await attemptTo(stored.url)).toMatchObject({ ...delivered, excerpt: 'ok' });
  expect(await attemptTo(late.url)).toMatchObject(delivered);
  expect(await attemptTo(moved.url)).toMatchObject({
    outcome: 'failed',
    reason: 'redirect_not_followed',
    phase: 'body',
    status: 302,
    excerpt: 'move',
  });
  expect(await attemptTo(cut.url)).toMatchObject(failed('connection_lost', 'headers'));
  expect(await attemptTo(banner.url)).toMatchObject(failed('malformed_answer', 'headers'));
  expect(await attemptTo(clear.url)).toMatchObject(failed('tls_failed', 'tls'));
  expect(sink.connections()).toBe(0);
  expect(request).toMatch(/^POST \/hook HTTP\/1\.1\r\n/);
  expect(request.toLowerCase()).toContain('\r\naccept-encoding: identity\r\n');
});
