import { rmSync } from 'node:fs';
import {
  request as ask,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { portFault } from '#platform/free-port.ts';

/**
 * Passes everything on to podman's socket, but for two things that Docker does and podman 4.3 does not. It takes a free port of a
 * range such as 3000-3001 when a container is created. And where the root is read-only, podman lays an empty /run over the folders
 * that the image has there. A volume keeps them.
 */
export async function startSocket(file: string, podman: string) {
  const server = createServer(async (incoming, response) => {
    const onward = passOn(incoming, podman);
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', (error) => refuse(response, error));
    response.on('close', () => onward.destroy());
    if (!isCreate(incoming)) return incoming.pipe(onward);
    try {
      const body = JSON.stringify(await asDocker((await json(incoming)) as Container));
      onward.setHeader('content-length', Buffer.byteLength(body));
      onward.end(body);
    } catch (error) {
      refuse(response, error);
    }
  });
  // `exec` and `attach` turn the connection into a stream of bytes.
  server.on('upgrade', (incoming, socket, head) => {
    const onward = connect(podman, () => {
      onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headersOf(incoming)}\r\n`);
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [onward, socket]) end.on('error', () => [onward, socket].map((each) => each.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(file, resolve));
  return {
    stop(): void {
      server.closeAllConnections();
      server.close();
      rmSync(file, { force: true });
    },
  };
}

/** Says why to the caller, as the engine does, if the answer has not begun. */
function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(500, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ message: String(error) }));
}

const isCreate = ({ method, url }: IncomingMessage) =>
  method === 'POST' && /\/containers\/create(\?|$)/.test(url ?? '');

const passOn = ({ method, url, headers }: IncomingMessage, socketPath: string): ClientRequest =>
  ask({ socketPath, method, path: url, headers });

function headersOf({ rawHeaders }: IncomingMessage): string {
  const names = rawHeaders.filter((_, at) => at % 2 === 0);
  return names.map((name, at) => `${name}: ${rawHeaders[2 * at + 1]}\r\n`).join('');
}

type Container = {
  HostConfig?: { PortBindings?: Record<string, { HostPort: string }[]>; Tmpfs?: Record<string, string> };
  Volumes?: Record<string, object>;
};

async function asDocker(container: Container): Promise<Container> {
  const { PortBindings: bindings = {}, Tmpfs: folders = {} } = container.HostConfig ?? {};
  for (const binding of Object.values(bindings).flat()) {
    const [, from, to] = /^(\d+)-(\d+)$/.exec(binding.HostPort) ?? [];
    if (from !== undefined) binding.HostPort = String(await freeOf(Number(from), Number(to)));
  }
  const keepsRun = Object.keys(folders).some((folder) => /^(\/var)?\/run\//.test(folder));
  return keepsRun ? { ...container, Volumes: { ...container.Volumes, '/run': {} } } : container;
}

/** A port is bound when its container starts, so a port that was just given away only seems to be free. */
const givenAt = new Map<number, number>();
const startsWithinMs = 15_000;

async function freeOf(from: number, to: number): Promise<number> {
  for (let port = from; port <= to; port++) {
    if (Date.now() - (givenAt.get(port) ?? 0) < startsWithinMs) continue;
    givenAt.set(port, Date.now());
    if ((await portFault(port)) === undefined) return port;
  }
  throw new Error(`no port of ${from}-${to} is free`);
}
