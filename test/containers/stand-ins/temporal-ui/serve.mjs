import { createServer } from 'node:http';
import { connect } from 'node:net';

/** Answers 200 if Temporal's address takes connections from this container, and 502 if not. */
const [host = '', port = ''] = (process.env.TEMPORAL_ADDRESS ?? '').split(':');
const server = createServer((_request, response) => {
  const socket = connect(Number(port), host);
  const answer = (/** @type {number} */ status) => {
    socket.destroy();
    response.writeHead(status).end(`Temporal at ${host}:${port}\n`);
  };
  socket.once('connect', () => answer(200)).once('error', () => answer(502));
});
server.listen(8080);
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0));
