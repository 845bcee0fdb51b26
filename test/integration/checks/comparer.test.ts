import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { startFaceComparer } from '#activities/checks/face/comparer.ts';
import type { FaceComparer } from '#activities/checks/port.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import type { Program } from '#platform/isolated/program.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { judgeFaces } from '#policy/faces.ts';
import { link, programsBelow, read } from '#test/integration/pictures/processes.ts';
import { collectedLog } from '#test/support/run-logs.ts';
import { bsnSpecimen } from '#test/support/specimens/bsn/specimens.ts';
import { faces as drawnFaces } from '#test/support/specimens/looks/scenes.ts';

// No real person is on these pictures: one drawn face is the portrait of each specimen.
const { front: document } = await bsnSpecimen(1);
const selfie = await drawnFaces([700]);

// A program loads three networks, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });
const lines = new PassThrough({ encoding: 'utf8' });
let logged = '';
lines.on('data', (text: string) => {
  logged += text;
});
const log = collectedLog('comparer', lines);
const comparers: FaceComparer[] = [];

async function started(program: Partial<Program> = {}): Promise<FaceComparer> {
  const isolation = await findIsolation(log);
  const comparer = startFaceComparer({ isolation, log, instruments: noInstruments, program });
  comparers.push(comparer);
  return comparer;
}

afterEach(async () => {
  for (const comparer of comparers.splice(0)) await comparer.close();
  logged = '';
});

const couldNot = /^The faces could not be compared$/;
const programs = () => programsBelow(process.pid, 'face/program.ts');

const memoryOf = (pid = 0) => Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status') ?? '')?.[1] ?? 0) * 1024;

/** Waits for a process that compares, and has loaded the networks for it. */
async function atWork(): Promise<number> {
  await expect.poll(() => memoryOf(programs()[0]), { timeout: 60_000 }).toBeGreaterThan(120_000_000);
  return programs()[0] as number;
}

test('the portrait on a document and a picture of the same face are near, and only two numbers are said', async () => {
  const compared = await (await started()).compare(document, selfie);
  expect(compared).toEqual({ distance: expect.any(Number), recaptured: expect.any(Number) });
  if ('distance' in compared) expect(judgeFaces(compared.distance).result).toBe('passed');
});

test('the process has no environment, gains no rights and, where the machine allows that, has no network', async () => {
  const { namespaces } = await findIsolation(log);
  const compared = (await started()).compare(document, selfie);
  const pid = await atWork();
  expect(read(pid, 'environ')).not.toMatch(/PATH|HOME|VITEST/);
  expect(read(pid, 'status')).toMatch(/^NoNewPrivs:\t1$/m);
  expect(link(pid, 'ns/net') !== link(process.pid, 'ns/net')).toBe(namespaces);
  await compared;
  await expect.poll(() => programs()).toEqual([]);
});

test('a process that dies takes its comparison with it, and no other', async () => {
  const comparer = await started();
  const [lost, next] = [comparer.compare(document, selfie), comparer.compare(document, selfie)];
  next.catch(() => undefined);
  const refused = expect(lost).rejects.toThrow(couldNot);
  process.kill(await atWork(), 'SIGKILL');
  await refused;
  expect(logged).toContain('"program":"face","reason":"died"');
  await expect(next).resolves.toEqual({ distance: expect.any(Number), recaptured: expect.any(Number) });
});

test('a picture that cannot be opened, and one that takes too long, give no result', async () => {
  const broken = (await started()).compare(Buffer.from('no picture'), selfie);
  await expect(broken).rejects.toThrow(couldNot);
  const late = (await started({ jobMs: 50 })).compare(document, selfie);
  await expect(late).rejects.toThrow(couldNot);
  expect(logged).toContain('"program":"face","reason":"late"');
});

test('a process that answers as it should is believed', async () => {
  const comparer = await started({ file: new URL('./echo.ts', import.meta.url) });
  const answer = { finding: 'face_not_found' };
  const compared = comparer.compare(Buffer.alloc(0), Buffer.from(JSON.stringify(answer)));
  await expect(compared).resolves.toEqual(answer);
});

test.each([
  ['no json'],
  ['{}'],
  ['{"distance":-1}'],
  ['{"distance":"0.1"}'],
  ['{"finding":"a description"}'],
  ['{"distance":0.1,"description":[0.1,0.2]}'],
])('a process that answers %s has compared nothing', async (answer) => {
  const comparer = await started({ file: new URL('./echo.ts', import.meta.url) });
  await expect(comparer.compare(Buffer.alloc(0), Buffer.from(answer))).rejects.toThrow(couldNot);
});
