import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { PictureLooker } from '#activities/checks/port.ts';
import type { LookResult, PictureKind } from '#contract/enums.ts';
import { programsBelow, read } from '#test/integration/pictures/processes.ts';
import { pictureLooker } from '#test/support/examiners/picture-looker.ts';
import { drawn } from '#test/support/specimens/card.ts';
import { bankCard, letter } from '#test/support/specimens/looks/papers.ts';
import { closeFace, faces, noise, wall } from '#test/support/specimens/looks/scenes.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { photograph } from '#test/support/specimens/photograph.ts';
import { withPortrait } from '#test/support/specimens/with-portrait.ts';

const today = new Date('2026-11-21T12:00:00Z');
const passport = await photograph(drawn({ format: 'TD3', person: eriksson }).front, { turn: 5 });
const expired = await photograph(
  drawn({ format: 'TD3', person: { ...eriksson, expiry: '2026-11-20' } }).front,
);
const card = drawn({ format: 'TD1', person: eriksson });
const front = await photograph(await withPortrait(card.front));
const back = await photograph(card.back ?? card.front, { turn: 180 });
const [aWall, noisy, oneFace, twoFaces] = [
  await wall(),
  await noise(),
  await faces([600]),
  await faces([600, 560]),
];

const lookers: PictureLooker[] = [];
async function started(...options: Parameters<typeof pictureLooker>): Promise<PictureLooker> {
  const looker = await pictureLooker(...options);
  lookers.push(looker);
  return looker;
}
afterEach(async () => {
  for (const looker of lookers.splice(0)) await looker.close();
});

const programs = () => programsBelow(process.pid, 'quick/program.ts');
const memoryOf = (pid = 0) => Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status') ?? '')?.[1] ?? 0) * 1024;

/** Waits for a program that has loaded the networks. */
async function prepared(): Promise<number> {
  await expect.poll(() => memoryOf(programs()[0]), { timeout: 60_000 }).toBeGreaterThan(100_000_000);
  return programs()[0] as number;
}

describe('a look at', async () => {
  const looker = await pictureLooker();
  afterAll(() => looker.close());

  test.each<[what: string, kind: PictureKind, jpeg: Buffer, found: LookResult]>([
    ['a passport', 'passport_page', passport, 'fine'],
    ['an expired passport', 'passport_page', expired, 'expired'],
    ['a front', 'card_front', front, 'fine'],
    ['a letter instead of a front', 'card_front', await photograph(letter()), 'no_document'],
    ['a bank card instead of a front', 'card_front', await photograph(bankCard()), 'no_document'],
    ['a back', 'card_back', back, 'fine'],
    ['a back instead of the front', 'card_front', back, 'wrong_side'],
    ['a card instead of a passport', 'passport_page', back, 'other_document'],
    ['a passport instead of a card', 'card_front', passport, 'other_document'],
    ['a wall', 'card_back', aWall, 'no_document'],
    ['noise', 'passport_page', noisy, 'no_document'],
    ['noise instead of a face', 'selfie', noisy, 'no_face'],
    ['a face', 'selfie', oneFace, 'fine'],
    ['a face that fills the picture', 'selfie', await closeFace(), 'fine'],
    ['a back instead of a face', 'selfie', back, 'no_face'],
    ['two faces', 'selfie', twoFaces, 'several_faces'],
  ])('%s says so', async (_, kind, jpeg, found) => {
    expect(await looker.look(kind, jpeg, today)).toBe(found);
  });
});

describe('a program', () => {
  test('is prepared only when a picture is expected, and goes after an idle time', async () => {
    const looker = await started({}, 3_000);
    expect(programs()).toEqual([]);
    looker.expect();
    looker.expect();
    expect(programs().length).toBeLessThanOrEqual(1);
    await prepared();
    expect(programs()).toHaveLength(1);
    await expect.poll(programs, { timeout: 60_000 }).toEqual([]);
  });

  test('takes one picture and ends, and another one is prepared meanwhile', async () => {
    const looker = await started();
    looker.expect();
    const pid = await prepared();
    expect(await looker.look('card_back', back, today)).toBe('fine');
    expect(programs()).not.toContain(pid);
    expect(await prepared()).not.toBe(pid);
  });

  test('that is killed, or gives nonsense, gives no answer, and the next picture gets one', async () => {
    const looker = await started();
    looker.expect();
    const pid = await prepared();
    const look = looker.look('card_back', back, today);
    process.kill(pid, 'SIGKILL');
    await expect(look).rejects.toThrow();
    expect(await looker.look('card_back', back, today)).toBe('fine');
    const echo = await started({ file: new URL('./echo.ts', import.meta.url), given: undefined });
    await expect(echo.look('card_back', back, today)).rejects.toThrow('The picture could not be looked at');
  });

  test('that gets no picture gives no answer', async () => {
    const looker = await started();
    await expect(looker.look('selfie', Buffer.from('no picture'), today)).rejects.toThrow(
      'The picture could not be looked at',
    );
  });

  test('is not started any more after the end', async () => {
    const looker = await started();
    looker.expect();
    await looker.close();
    expect(programs()).toEqual([]);
    looker.expect();
    expect(programs()).toEqual([]);
    await expect(looker.look('selfie', passport, today)).rejects.toThrow();
  });
});
