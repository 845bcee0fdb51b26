import { createSocket } from 'node:dgram';
import { connect, type NetConnectOpts } from 'node:net';
import { serve } from '#platform/isolated/serve.ts';

/** A program that a picture has taken over: it tries to reach the places that the job names, and answers how each try ended. */

export type Place = NetConnectOpts | { datagram: number; host: string };

const tryMs = 3_000;

const byDatagram = (port: number, host: string) =>
  new Promise<string>((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    socket.once('error', (error) => resolve(codeOf(error)));
    socket.send('hello', port, host, (error) => {
      resolve(error === null ? 'reached' : codeOf(error));
      socket.close();
    });
  });

const byConnection = (options: NetConnectOpts) =>
  new Promise<string>((resolve) => {
    const socket = connect({ ...options, timeout: tryMs });
    const end = (how: string) => {
      resolve(how);
      socket.destroy();
    };
    socket.once('connect', () => end('reached'));
    socket.once('timeout', () => end('no answer'));
    socket.once('error', (error) => end(codeOf(error)));
  });

const codeOf = (error: NodeJS.ErrnoException): string => error.code ?? error.message;

await serve(
  async ([places = Buffer.alloc(0)]) => {
    const tries = (JSON.parse(String(places)) as Place[]).map((place) =>
      'datagram' in place ? byDatagram(place.datagram, place.host) : byConnection(place),
    );
    return [Buffer.from(JSON.stringify(await Promise.all(tries)))];
  },
  { jobBytesMax: 10_000 },
);
