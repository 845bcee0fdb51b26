import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { LivenessMeasurer } from '#activities/checks/port.ts';
import { createChecksAhead } from '#activities/run-checks.ts';
import { frameLimits, type MeasuredFrame, type Movement, movements } from '#contract/movements.ts';
import { livenessThreshold } from '#policy/liveness.ts';
import { covers } from '#test/requirements.ts';
import { quickComparer } from '#test/support/examiners/quick-comparer.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { bytesOf, emptyFrame, emptyRecording } from '#test/support/people/recording.ts';
import { untilMasked } from '#test/support/rows/masked.ts';
import { collectedLog } from '#test/support/run-logs.ts';
import { scripted } from '../looks/scripted.ts';
import { looksIn } from '../looks/stored.ts';

vi.setConfig({ testTimeout: 120_000 });
const { looker, documents, plan } = scripted();
const nobody: MeasuredFrame = {
  ...{ faces: 0, width: 0, x: 0, y: 0, turn: 0, lift: 0, fromFirst: null, fromSelfie: null },
  repeated: false,
};
const still: MeasuredFrame = { ...nobody, faces: 1, width: 0.3, x: 0.5, y: 0.5 };
const script = { frame: still, failures: 0 };
const measured: { selfie: Uint8Array; count: number }[] = [];
/** A measurer whose answers a test sets. The program itself is tried in test/integration/checks/liveness.test.ts. */
const liveness: LivenessMeasurer = {
  async measure(selfie, frames) {
    measured.push({ selfie, count: frames.length });
    if (script.failures-- > 0) throw new Error('The frames could not be measured');
    return frames.map(() => script.frame);
  },
  close: async () => undefined,
};
const harness = await startHarness({ looker, documents, liveness });
const { key } = await harness.key({ environment: 'live' });
const { completed, submittedLine, ...stored } = looksIn(harness, key);

beforeEach(() => {
  Object.assign(plan, { looks: {}, failures: 0 });
  Object.assign(script, { frame: still, failures: 0 });
  measured.length = 0;
});

/** A person who has shown a passport and a face. */
async function walking() {
  const begun = await stored.started('document_liveness');
  await begun.user.upload('passport_page', await anyPicture());
  await begun.user.upload('selfie', await anyPicture(1300, 900));
  return begun;
}
const asks = async (user: ReturnType<typeof person>) => {
  const { json, status } = await user.askForMovements();
  expect(status).toBe(200);
  return json as { nonce: string; movements: Movement[] };
};
const rowOf = async (id: string) => {
  const [row] = await harness.rows<{ picture: Buffer | null; look: string | null; source: string | null }>`
    select picture, look, source from evidence where verification_id = ${id} and kind = 'movements'`;
  return row;
};
const makingOf = async (id: string) => {
  const [line] = await harness.rows<{ data: { makings: { kind: string }[] } }>`
    select data from ledger where subject_id = ${id} and type = 'verification.completed'`;
  return line?.data.makings.find(({ kind }) => kind === 'liveness');
};

describe('what is asked for', () => {
  test('comes from the server by chance: three movements, never one twice in a row', async () => {
    const { user } = await walking();
    const asked: Movement[][] = [];
    for (let time = 0; time < 12; time++) asked.push((await asks(user)).movements);
    for (const each of asked) {
      expect(each).toHaveLength(3);
      for (const [index, movement] of each.entries()) {
        expect(movements).toContain(movement);
        expect(movement).not.toBe(each[index - 1]);
      }
    }
    expect(new Set(asked.map(String)).size).toBeGreaterThan(4);
  });

  test('counts as a picture each time, so that nobody asks until the movements of a recording come', async () => {
    const { id, user } = await walking();
    await harness.rows`update verifications set pictures_taken = 100 where id = ${id}`;
    const answer = await user.askForMovements();
    expect([answer.status, answer.headers.location]).toEqual([
      303,
      expect.stringContaining('fault=too_many'),
    ]);
  });

  test('is nothing after Send, and no fault is told', async () => {
    const { id, user } = await walking();
    await user.noMovements();
    await user.submit();
    await completed(id);
    const answer = await call(harness, 'POST', `${user.path}/ask-movements?lang=en`, { rawBody: '' });
    expect([answer.status, answer.headers.location]).toEqual([303, expect.not.stringContaining('fault')]);
  });

  test('is not there for a method without a face', async () => {
    const { user } = await stored.started('document_only');
    for (const action of ['ask-movements', 'movements', 'no-movements'])
      expect((await call(harness, 'POST', `${user.path}/${action}`, { rawBody: '' })).status).toBe(404);
  });
});

describe('frames', () => {
  test('are stored sealed with what was asked, are measured before Send, once, and are gone with the masking', async () => {
    const { id, user } = await walking();
    const { nonce } = await asks(user);
    const recording = bytesOf(emptyRecording());
    const page = await user.moves(nonce, recording);
    expect(page.text).toContain('We did not see all movements');
    const row = await rowOf(id);
    expect(row).toMatchObject({ look: 'movements_missing', source: 'live_camera' });
    expect(row?.picture?.includes(emptyFrame.subarray(0, 60))).toBe(false);
    await user.submit();
    const verdict = await completed(id);
    expect(verdict).toMatchObject({ outcome: 'review', assurance_level: 'low' });
    expect(verdict.reasons.join(' ')).toContain('were not those that were asked for');
    expect(measured).toEqual([{ selfie: expect.anything(), count: 40 }]);
    expect(await makingOf(id)).toMatchObject({
      engine: { name: 'movement-measurer', version: expect.stringContaining('@vladmandic/face-api') },
      threshold: livenessThreshold,
      finding: 'movements_none',
    });
    await untilMasked(harness.rows, id);
    expect(await rowOf(id)).toBeUndefined();
    expect(JSON.stringify(await submittedLine(id))).toContain('movements');
  });

  test('that show no face are in doubt, and the person is told to try again; three times, and then no more', async () => {
    covers('1/no-biometric-proof');
    const { id, user } = await walking();
    script.frame = nobody;
    for (let time = 0; time < 3; time++)
      expect((await user.moves((await asks(user)).nonce, bytesOf(emptyRecording()))).text).toContain(
        'could not see your movements well',
      );
    expect((await user.moves((await asks(user)).nonce, bytesOf(emptyRecording()))).text).toContain(
      'Is everything right?',
    );
    await user.submit();
    expect((await completed(id)).reasons.join(' ')).toContain('could not be measured well');
  });

  test('are measured again with a selfie that came later', async () => {
    const { id, user } = await walking();
    await user.moves((await asks(user)).nonce, bytesOf(emptyRecording()));
    await user.upload('selfie', await anyPicture(1400, 900));
    await user.submit();
    await completed(id);
    expect(measured.length).toBeGreaterThan(1);
    expect(measured.at(-1)?.selfie).not.toEqual(measured[0]?.selfie);
  });

  test('that cannot be measured are in doubt at once: the verdict does not wait for them', async () => {
    const { id, user } = await walking();
    script.failures = 10;
    await user.moves((await asks(user)).nonce, bytesOf(emptyRecording()));
    await user.submit();
    expect((await completed(id)).reasons.join(' ')).toContain(
      'It was not examined whether the person was present',
    );
    expect(await makingOf(id)).toMatchObject({ finding: 'movements_not_examined' });
  });

  test('leave nothing that describes a face or its way: only the result, a confidence and the rule', async () => {
    const { id, user } = await walking();
    script.frame = { ...still, turn: 12.3456, fromFirst: 0.23456 };
    await user.moves((await asks(user)).nonce, bytesOf(emptyRecording()));
    await user.submit();
    await completed(id);
    const rows = await harness.rows`
      select e.checks, e.makings, v.verdict, l.data from verifications v
      join examinations e on e.verification_id = v.id join ledger l on l.subject_id = v.id where v.id = ${id}`;
    expect(JSON.stringify(rows)).toContain('liveness');
    expect(JSON.stringify(rows)).not.toMatch(/12\.3|0\.234|fromFirst|turn"|nonce/);
  });
});

describe('nothing is stored of', () => {
  const sealed = (id: string, change: object) => {
    const now = Date.now();
    const value = { movements: ['left', 'up', 'left'], askedAtMs: now, endsAtMs: now + 60_000, ...change };
    return harness.ctx.secrets
      .seal('movements', `movements/${id}/1`, JSON.stringify(value))
      .toString('base64url');
  };

  test.each([
    ['none at all', async () => ''],
    ['something else', async () => 'AAAA'],
    ['another verification', async () => (await asks((await walking()).user)).nonce],
    ['a minute ago', async (id: string) => sealed(id, { endsAtMs: Date.now() - 1 })],
  ])('frames that came with a nonce of %s', async (_, nonceOf) => {
    const { id, user } = await walking();
    const page = await user.moves(await nonceOf(id), bytesOf(emptyRecording()));
    expect(page.text).toContain('That took too long');
    expect(await rowOf(id)).toBeUndefined();
    expect(measured).toEqual([]);
  });

  const { min, max } = frameLimits.count;
  const frames = emptyRecording();
  test.each<[string, Uint8Array]>([
    ['too few', bytesOf(emptyRecording(min - 1))],
    ['too many', bytesOf(emptyRecording(max + 1))],
    ['times that are missing', bytesOf(frames, { times: frames.times.slice(1) })],
    ['a time below 0', bytesOf(frames, { times: frames.times.map((time) => time - 1) })],
    ['more words than are known', bytesOf(frames, { asked: ['left', 'up', 'left'] })],
    ['sizes beyond the bytes', bytesOf(frames, { sizes: frames.jpegs.map(({ length }) => length + 1) })],
    ['bytes beyond the sizes', Buffer.concat([bytesOf(frames), Buffer.from('x')])],
    [
      'something else than JPEGs',
      bytesOf({ ...frames, jpegs: frames.jpegs.map(() => Buffer.from('<svg/>')) }),
    ],
    ['no line of JSON', Buffer.concat(frames.jpegs)],
    ['an endless line', Buffer.alloc(100_000, '[')],
    ['more time than has passed', bytesOf(frames, { times: frames.times.map((time) => time * 300) })],
  ])('frames with %s', async (_, bytes) => {
    const { id, user } = await walking();
    const page = await user.moves((await asks(user)).nonce, bytes);
    expect(page.text).toContain('did not arrive in order');
    expect(await rowOf(id)).toBeUndefined();
  });

  test('frames of sandbox, which are looked through as in live', async () => {
    const sandbox = await harness.key();
    const { json } = await call(harness, 'POST', '/v1/verifications', {
      key: sandbox.key,
      body: { sandbox: { auto_complete: false } },
    });
    const user = person(harness, json.verify_url);
    await user.start();
    await user.specimen('passport_page');
    await user.specimen('selfie');
    const { nonce } = await asks(user);
    expect((await user.moves(nonce, Buffer.from('nothing'))).text).toContain('did not arrive in order');
    expect((await user.moves(nonce, bytesOf(emptyRecording()))).text).toContain('Is everything right?');
    expect(await rowOf(json.id)).toMatchObject({ picture: null });
    expect(measured).toEqual([]);
  });
});

describe('who goes on without movements', () => {
  test('is asked nothing more, and the verdict says so', async () => {
    const { id, user } = await walking();
    expect((await user.noMovements()).text).toContain('Is everything right?');
    await user.submit();
    const verdict = await completed(id);
    expect(verdict.outcome).toBe('review');
    expect(verdict.reasons).toContain(
      'The end user made no movements before the camera; a person makes the final assessment.',
    );
    expect(measured).toEqual([]);
    expect(await makingOf(id)).toMatchObject({ finding: 'movements_declined' });
  });

  test('can still make them before Send', async () => {
    const { id, user } = await walking();
    await user.noMovements();
    await user.moves((await asks(user)).nonce, bytesOf(emptyRecording()));
    expect((await rowOf(id))?.picture).not.toBeNull();
  });
});

test('movements that wait for their look are left to it, so that the person hears of them', async () => {
  const { id, user, ref } = await walking();
  const { nonce } = await asks(user);
  await harness.stopWorker();
  await user.moves(nonce, bytesOf(emptyRecording()));
  const ahead = createChecksAhead(
    harness.ctx,
    { documents, faces: quickComparer, liveness },
    collectedLog('ahead'),
  );
  await ahead(ref);
  expect(measured).toEqual([]);
  await harness.startWorker();
  await expect.poll(async () => (await rowOf(id))?.look, { timeout: 30_000 }).toBe('movements_missing');
  expect(measured).toHaveLength(1);
});
