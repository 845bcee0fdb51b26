import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { NotStarted } from '#platform/isolated/programs.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { runProgram } from '#test/support/program.ts';
import { collectedLog } from '#test/support/run-logs.ts';
import { pictureDecoder } from './decoder.ts';
import { link, programsBelow, read } from './processes.ts';

vi.stubEnv('SECRETS_KEY', 'a secret of the process that has uploads decoded');

const hostile = new URL('./hostile.ts', import.meta.url);
const lines = new PassThrough({ encoding: 'utf8' });
let logged = '';
lines.on('data', (text: string) => {
  logged += text;
});
const log = collectedLog('decoder', lines);
const memoryBytesMax = 1_200_000_000;
// On a busy machine an honest picture takes many seconds.
const program = { file: hostile, jobMs: 60_000, memoryBytesMax };
const decoder = await pictureDecoder(program, log);
const { namespaces } = await findIsolation(log);

const taken = (upload: string | Buffer) => decoder.take(Buffer.from(upload), 'document');
const refused = { fault: 'not_a_picture' };
const own = () => programsBelow(process.pid, 'hostile.ts');
const spare = async () => {
  await expect.poll(() => own().length).toBeGreaterThan(0);
  return own()[0] as number;
};

describe('a picture on which a decoder', () => {
  test.each([
    ['crash', 'died'],
    ['leave', 'died'],
    ['grow', 'died'],
    ['say html', 'nonsense'],
    ['say a huge size', 'nonsense'],
    ['say sizes that contradict each other', 'nonsense'],
    ['say a part of a message and leave', 'nonsense'],
    ['answer a JPEG of 20 MB', 'nonsense'],
  ])('may %s is refused as no picture, and the log has the reason: %s', async (act, reason) => {
    logged = '';
    await expect(taken(act)).resolves.toEqual(refused);
    expect(logged).toContain(`"program":"picture","reason":"${reason}"`);
  });

  test('may loop is refused as no picture when its time is over, and the log has the reason', async () => {
    logged = '';
    const hurried = await pictureDecoder({ ...program, jobMs: 1_000 }, log);
    await expect(hurried.take(Buffer.from('loop'), 'document')).resolves.toEqual(refused);
    expect(logged).toContain('"program":"picture","reason":"late"');
    await hurried.close();
  });

  test.each(['nothing', 'no JPEG', 'an unknown fault', 'more than a picture'])(
    'may answer %s is refused as no picture',
    async (answer) => {
      await expect(taken(`answer ${answer}`)).resolves.toEqual(refused);
    },
  );

  test('grows costs no more memory than the limit, and gives it back', async () => {
    let most = 0;
    const watch = setInterval(() => {
      for (const pid of own())
        most = Math.max(most, Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status') ?? '')?.[1] ?? 0) * 1024);
    }, 5);
    await expect(taken('grow')).resolves.toEqual(refused);
    clearInterval(watch);
    expect(most).toBeGreaterThan(300_000_000);
    expect(most).toBeLessThan(memoryBytesMax);
    await expect.poll(() => own().length).toBeLessThanOrEqual(2);
  });

  test('loops keeps no other picture waiting', async () => {
    const both = await pictureDecoder(program, log);
    let isOver = false;
    const looped = both.take(Buffer.from('loop'), 'document').finally(() => {
      isOver = true;
    });
    const other = await both.take(await anyPicture(), 'document');
    expect([other, isOver]).toEqual([{ jpeg: expect.any(Buffer) }, false]);
    await Promise.allSettled([both.close(), looped]);
  });
});

test('no process decodes a second picture', async () => {
  const first = await spare();
  await taken(await anyPicture());
  await expect.poll(() => read(first, 'status')).toBeUndefined();
});

test('a decoder that cannot be started is no fault of the picture, and is reported before a person comes', async () => {
  logged = '';
  const broken = await pictureDecoder({ file: new URL('./nowhere.ts', import.meta.url) }, log);
  await expect
    .poll(() => logged)
    .toContain('"program":"picture","msg":"an isolated program could not be started"');
  await expect(broken.take(await anyPicture(), 'document')).rejects.toThrow(NotStarted);
});

describe('a decoder', () => {
  test('knows no secret of the process that started it', async () => {
    const environment = read(await spare(), 'environ') ?? '';
    const names = environment.split('\0').map((pair) => pair.split('=')[0]);
    expect(names.filter((name) => !['', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name ?? ''))).toEqual([]);
  });

  test('lies in no folder of that process', async () => {
    expect(link(await spare(), 'cwd')).toBe('/');
  });

  test('has no network, sees no other process and gains no rights, where the machine allows that', async () => {
    const pid = await spare();
    for (const name of ['net', 'user', 'pid', 'ipc'])
      expect(link(pid, `ns/${name}`) !== link(process.pid, `ns/${name}`), name).toBe(namespaces);
    const status = read(pid, 'status') ?? '';
    if (namespaces) {
      expect(read(pid, 'net/dev')?.match(/^ *\w+:/gm)).toEqual(['    lo:']);
      expect(status).toMatch(/^CapEff:\t0+$/m);
    }
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  });

  test.each([[['loop']], [[]], [['bare']]])(
    'ends with the process that started it, even by SIGKILL: %j',
    async (words) => {
      const program = runProgram('test/integration/pictures/left-open.ts', {}, words);
      await program.says('decoders started');
      const itsOwn = () => programsBelow(program.pid, 'hostile.ts');
      await expect.poll(() => itsOwn().length).toBeGreaterThan(0);
      if (words[0] === 'loop') await expect.poll(() => itsOwn().some(isBusy), { timeout: 60_000 }).toBe(true);
      const pids = itsOwn();
      program.signal('SIGKILL');
      await program.exited;
      await expect.poll(() => pids.map((pid) => read(pid, 'status')).filter(Boolean)).toEqual([]);
    },
  );
});

/** True if the process has used a second of processor time. */
const isBusy = (pid: number): boolean => {
  const [user = 0, system = 0] =
    (read(pid, 'stat') ?? '').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? [];
  return user + system > 100;
};

test('after a stop no decoder is left', async () => {
  await spare();
  await decoder.close();
  await expect.poll(own).toEqual([]);
});
