import { readFile } from 'node:fs/promises';

/** What a process spends its time on, by the inspector of Node. */
export type Profile = { nodes: readonly Node[]; samples: readonly number[] };
type Node = { id: number; callFrame: { functionName: string; url: string }; children?: readonly number[] };

/** Starts to record a process that was started with `--inspect=127.0.0.1:0`. Its log has the address of its inspector. */
export async function startProfile(logFile: string): Promise<{ stop(): Promise<Profile> }> {
  const [address = ''] = /ws:\/\/127\.0\.0\.1:\S+/.exec(await readFile(logFile, 'utf8')) ?? [];
  const socket = new WebSocket(address);
  const asked = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    asked.get(id)?.(result);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${address}`)));
  });
  let last = 0;
  const call = (method: string, params: object = {}) =>
    new Promise((resolve) => {
      asked.set(++last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  await call('Profiler.enable');
  await call('Profiler.setSamplingInterval', { interval: 200 });
  await call('Profiler.start');
  return {
    async stop() {
      const { profile } = (await call('Profiler.stop')) as { profile: Profile };
      socket.close();
      return profile;
    },
  };
}

/** The share of each place in the code of the time in which the process did something, the largest first. */
export function sharesOf({ nodes, samples }: Profile): [place: string, share: number][] {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const placeOf = (id: number | undefined): string => {
    const node = id === undefined ? undefined : byId.get(id);
    if (node === undefined) return 'other';
    const { functionName, url } = node.callFrame;
    if (functionName.startsWith('(')) return functionName.slice(1, -1);
    // What is native has no file. It belongs to who called it, but the calls of the system are worth a line.
    if (/^(writev?|writeUtf8String|writeLatin1String|writeBuffer|read)$/i.test(functionName) && url === '')
      return `system: ${functionName}, for ${placeOf(parents.get(node.id))}`;
    return url === '' ? placeOf(parents.get(node.id)) : roomOf(url);
  };
  const counts = new Map<string, number>();
  for (const id of samples) {
    const place = placeOf(id);
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  counts.delete('idle');
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts]
    .map(([place, count]): [string, number] => [place, count / all])
    .toSorted((a, b) => b[1] - a[1]);
}

/** A package, a module of Node, or a room of the product. */
function roomOf(url: string): string {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (name !== undefined) return name;
  if (url.startsWith('node:')) return `node:${url.split('/').slice(-1)[0]}`;
  const [, room] = /\/((?:api|shared|worker|workflows|activities)\/(?:[^/]+\/)?)/.exec(url) ?? [];
  return room ?? 'other';
}
