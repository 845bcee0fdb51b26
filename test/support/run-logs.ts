import { randomUUID } from 'node:crypto';
import { copyFileSync, globSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import pino from 'pino';
import { afterAll, expect, inject } from 'vitest';
import { createLog, type Log } from '#platform/log.ts';
import { plantedSuffix } from './leaks.ts';

/** All logs of one test file begin with this name, its own path, and so does what it planted. */
const owner = relative(process.cwd(), expect.getState().testPath ?? randomUUID()).replaceAll(/\W+/g, '-');
const nameOf = (part: string) => `${owner}.${part}.${randomUUID().slice(0, 8)}.log`;

/** A file in the run's folder for the log of one part that this test file starts. */
export const logFileFor = (part: string): string => join(inject('logFolder'), nameOf(part));

/** The product's own log at its most talkative, into the run's folder, and to a test that reads along. */
export function collectedLog(part: string, alsoTo?: pino.DestinationStream): Log {
  const file = pino.destination({ dest: logFileFor(part), sync: true });
  const streams = [file, ...(alsoTo === undefined ? [] : [alsoTo])];
  return createLog(
    { level: 'trace', format: 'json' },
    pino.multistream(streams.map((stream) => ({ level: 'trace', stream }))),
  );
}

/** Keeps the logs of a folder that is about to go. */
export function keepLogs(folder: string): void {
  for (const file of globSync('{,*/}*.log', { cwd: folder }))
    copyFileSync(join(folder, file), logFileFor(basename(file, '.log')));
}

/** A value that is shorter may stand in a line by chance. */
const plantedLengthMin = 12;
const plantedMax = 2_000;
const planted = new Set<string>();
afterAll(() => {
  if (planted.size > 0)
    writeFileSync(join(inject('logFolder'), owner + plantedSuffix), JSON.stringify([...planted]));
});

/** From now on this text, which this test file sent or was given, may stand in no log. */
export function plant(text: string): void {
  if (text.length >= plantedLengthMin && planted.size < plantedMax) planted.add(text);
}

const privateFields = new Set(['reference', 'description', 'secret', 'verify_url']);

/** Plants what is a partner's or a person's own in a body that was sent or answered. */
export function plantPrivateParts(body: unknown): void {
  JSON.stringify(body, (name, value) => {
    if (privateFields.has(name) && typeof value === 'string') plant(value.replace(/^.*\/verify\//, ''));
    return value;
  });
}
