import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { minuteMs } from '#contract/time.ts';
import { ensureKeys } from './keys.ts';
import { memoryIn } from './memory.ts';
import { handler } from './server.ts';
import { faultless } from './setting.ts';

/**
 * The simulator beside `npm start`: a process without secrets, which gets each connection from the process that listens. It ends with that
 * process, and when nobody has asked anything for some minutes. Its arguments are its folder and its address.
 */
const [, , folder = '', url = ''] = process.argv;
const idleMs = 5 * minuteMs;

const keys = await ensureKeys(folder);
const { port } = new URL(url);
const memory = memoryIn(join(folder, `transactions-${port}.json`), []);
const settings = memoryIn(join(folder, `fault-${port}.json`), faultless);
const server = createServer(handler({ keys, style: 'short', ...faultless, memory, settings }, url));
const end = () => process.exit(0);
const idle = setTimeout(end, idleMs);
server.on('request', () => idle.refresh());
process.once('disconnect', end);
// Ctrl-C in the terminal reaches all processes. The one that listens ends this one, after the product.
process.on('SIGINT', () => undefined);
process.on('message', (id, socket) => {
  process.send?.(id);
  // The connection may be closed already.
  if (!(socket instanceof Socket)) return;
  server.emit('connection', socket);
  socket.resume();
});
process.send?.('ready');
