import { parentPort, workerData } from 'node:worker_threads';
import { contentOf, cutOut } from './documents-parse.ts';

export type Order = { body: Uint8Array<ArrayBuffer>; mark: string };
export type Parts = { rest: Uint8Array; contents: ReturnType<typeof contentOf>[] } | undefined;

/** Takes one large body apart, and ends. */
const { body, mark }: Order = workerData;
const cut = cutOut(Buffer.from(body.buffer, body.byteOffset, body.byteLength), mark);
const parts: Parts = cut && { rest: cut.rest, contents: cut.long.map(contentOf) };
parentPort?.postMessage(
  parts,
  (parts?.contents ?? []).flatMap((content) => (content === undefined ? [] : [content.bytes.buffer])),
);
