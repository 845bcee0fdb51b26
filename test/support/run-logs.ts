import { randomUUID } from 'node:crypto';
import { copyFileSync, globSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import pino from 'pino';
import { expect, inject } from 'vitest';
import { createLog, type Log } from '#platform/log.ts';
import { plantedSuffix } from './leaks.ts';

/** The path of the test file. The names of its logs and of its file of planted texts begin with this path. */
const testFile = () =>
  relative(process.cwd(), expect.getState().testPath ?? randomUUID()).replaceAll(/\W+/g, '-');

/** Returns the path of a log, in the folder of the run, for one part that this test file starts. */
export const logFileFor = (part: string, owner = testFile()): string =>
  join(inject('logFolder'), `${owner}.${part}.${randomUUID().slice(0, 8)}.log`);

/** The owner of a log that all test files of this process share. It is searched for what any test planted. */
export const thisProcess = `process-${process.pid}`;

/** The product's log at level trace. It goes to the folder of the run and, if given, to `alsoTo`. */
export function collectedLog(part: string, alsoTo?: pino.DestinationStream, owner?: string): Log {
  const file = pino.destination({ dest: logFileFor(part, owner), sync: true });
  const streams = [file, ...(alsoTo === undefined ? [] : [alsoTo])];
  return createLog(
    { level: 'trace', format: 'json' },
    pino.multistream(streams.map((stream) => ({ level: 'trace', stream }))),
  );
}

/** Copies the logs from a folder that will be deleted. */
export function keepLogs(folder: string): void {
  for (const file of globSync('{,*/}*.log', { cwd: folder }))
    copyFileSync(join(folder, file), logFileFor(basename(file, '.log')));
}

/** A shorter text may occur in a log line by chance. */
const plantedLengthMin = 12;
const plantedMax = 2_000;
const planted = new Set<string>();

/** Keeps for the search after the run what this test file planted. `each-file.ts` calls it. */
export function writePlanted(): void {
  if (planted.size > 0)
    writeFileSync(join(inject('logFolder'), testFile() + plantedSuffix), JSON.stringify([...planted]));
  planted.clear();
}

/** Records a text that the test file sent or received, and that must not be in any log. */
export function plant(text: string): void {
  if (text.length >= plantedLengthMin && planted.size < plantedMax) planted.add(text);
}

const privateFields = new Set(['reference', 'description', 'secret', 'verify_url']);

/** Plants the private fields of a body that was sent or received. */
export function plantPrivateParts(body: unknown): void {
  JSON.stringify(body, (name, value) => {
    if (privateFields.has(name) && typeof value === 'string') plant(value.replace(/^.*\/verify\//, ''));
    return value;
  });
}
