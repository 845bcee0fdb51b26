import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';

/** What the thread is asked. `known` are words that a guesser knows too. */
export type Question = { password: string; known: string[] };

const factory = new ZxcvbnFactory({
  dictionary: { ...common, ...english },
  graphs: adjacencyGraphs,
});

parentPort?.on('message', ({ password, known }: Question) =>
  parentPort?.postMessage(factory.check(password, known).score),
);
