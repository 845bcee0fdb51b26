import { hash } from 'node:crypto';
import { serveGiven } from '#platform/isolated/serve.ts';

/** A program that answers with what it was given, in short, and then with its job. */
await serveGiven(
  async (given) => {
    const told = given.map((part) => Buffer.from(hash('sha256', part)));
    return async (job) => [...told, ...job];
  },
  { jobBytesMax: 40_000_000 },
);
