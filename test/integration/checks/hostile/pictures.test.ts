import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { link, programsBelow, read } from '#test/integration/pictures/processes.ts';
import { everyExaminer } from '#test/support/examiners/every-program.ts';
import { watched } from '#test/support/examiners/watched.ts';
import { collectedLog, logFileFor } from '#test/support/run-logs.ts';
import { noNamespacesLine } from '#test/support/servers/without-namespaces.ts';
import { canary, hostile, passport } from '#test/support/specimens/hostile/pictures.ts';

// A program loads several networks, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });
const lines = new PassThrough({ encoding: 'utf8' });
let logged = '';
lines.on('data', (text: string) => {
  logged += text;
});
const log = collectedLog('hostile', lines);
const errors = logFileFor('errors');
const found = await findIsolation(log);
const isolation = watched(found, errors);
const examiners = await everyExaminer({ isolation, log, instruments: noInstruments });
afterAll(() => Promise.all(Object.values(examiners).map(({ close }) => close())));

/** The most memory of a job. The largest picture that the product makes needs about 0.6 GB. */
const memoryMax = 800_000_000;
/** One program is prepared ahead for the next look. */
const sparesMax = 1;
const pictures = Object.entries(hostile);
const aGoodOneAfter = 8;

for (const [name, { file, ask, says }] of Object.entries(examiners))
  describe(`the ${name}`, () => {
    const programs = () => programsBelow(process.pid, file);

    async function asked(picture: Uint8Array) {
      let memory = 0;
      const networks = new Set<string | undefined>();
      const watch = setInterval(() => {
        for (const pid of programs()) {
          memory = Math.max(
            memory,
            Number(/VmHWM:\s+(\d+)/.exec(read(pid, 'status') ?? '')?.[1] ?? 0) * 1024,
          );
          networks.add(link(pid, 'ns/net'));
        }
      }, 100);
      const words = await ask(picture).catch(() => undefined);
      clearInterval(watch);
      return { words, memory, networks };
    }

    const examinesAGoodOne = async () => expect((await asked(passport)).words).toBe(says['the passport']);

    test('examines a good picture without a network, and asks for none', async ({ skip }) => {
      const { words, networks } = await asked(passport);
      expect(words).toBe(says['the passport']);
      skip(!found.namespaces, noNamespacesLine);
      expect(networks.size).toBeGreaterThan(0);
      expect(networks).not.toContain(link(process.pid, 'ns/net'));
    });

    for (const [index, [what, { make, direct }]] of pictures.entries()) {
      const finds = direct === 'refused' ? 'opens nothing of' : `finds ${direct} on`;
      test(`${finds} ${what}, and its memory is free after that`, async () => {
        const { words, memory } = await asked(await make());
        expect(words).toBe(says[direct]);
        expect(memory).toBeLessThan(memoryMax);
        expect(programs().length).toBeLessThanOrEqual(sparesMax);
      });
      if (index % aGoodOneAfter === aGoodOneAfter - 1)
        test(`examines a good picture after the first ${index + 1} as if nothing had been`, examinesAGoodOne);
    }

    test('examines a good picture after all of them as if nothing had been', examinesAGoodOne);
  });

test('of all that, nothing that was in a picture is in a log or among the errors of a program', () => {
  const said = readFileSync(errors, 'utf8') + logged;
  expect(said).toContain('gave no answer');
  expect(said).toContain('A picture cannot be opened');
  for (const text of [canary, 'ERIKSSON', 'L898902C3']) expect(said).not.toContain(text);
});
