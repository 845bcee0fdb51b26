import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ComparedFaces, FaceComparer } from '#activities/checks/port.ts';
import { faceThreshold } from '#policy/faces.ts';
import { reasons } from '#policy/reasons.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { scripted } from '../looks/scripted.ts';
import { looksIn } from '../looks/stored.ts';

vi.setConfig({ testTimeout: 120_000 });
const { looker, documents, plan, examined } = scripted();
const script = { answer: { distance: 0.3, recaptured: 0 } as ComparedFaces, failures: 0 };
const compared: { document: Uint8Array; selfie: Uint8Array }[] = [];
/** A comparer whose answers a test sets. The program itself is tried in test/integration/checks/comparer.test.ts. */
const faces: FaceComparer = {
  async compare(document, selfie) {
    compared.push({ document, selfie });
    if (script.failures-- > 0) throw new Error('The faces could not be compared');
    return script.answer;
  },
  close: async () => undefined,
};
const harness = await startHarness({ looker, documents, faces });
const { key } = await harness.key({ environment: 'live' });
const { started, examinations, completed } = looksIn(harness, key);

beforeEach(() => {
  Object.assign(plan, { looks: {}, failures: 0, heldLook: undefined, heldCheck: undefined });
  Object.assign(script, { answer: { distance: 0.3, recaptured: 0 }, failures: 0 });
  compared.length = 0;
  examined.length = 0;
});

const ahead = async (id: string) =>
  (
    await harness.rows<{ kind: string }>`
      select kind from evidence where verification_id = ${id} and examined_ahead is not null order by kind`
  ).map(({ kind }) => kind);
const completedLine = async (id: string) => {
  const [line] = await harness.rows<{
    data: { makings: Record<string, unknown>[]; verdict: { checks: unknown[] } };
  }>`
    select data from ledger where subject_id = ${id} and type = 'verification.completed'`;
  return line?.data;
};
const walked = async () => {
  const { id, user } = await started('document_liveness');
  await user.upload('passport_page', await anyPicture());
  await user.upload('selfie', await anyPicture(1300, 900));
  await user.noMovements();
  await user.submit();
  return { id, verdict: await completed(id) };
};

describe('the face and the portrait', () => {
  test('are compared before Send, once, and Send uses that', async () => {
    const { id, user } = await started('document_liveness');
    await user.upload('passport_page', await anyPicture());
    await expect.poll(() => ahead(id), { timeout: 30_000 }).toEqual(['passport_page']);
    expect(compared).toHaveLength(0);
    await user.upload('selfie', await anyPicture(1300, 900));
    await user.noMovements();
    await expect.poll(() => ahead(id), { timeout: 30_000 }).toContain('selfie');
    await user.submit();
    await completed(id);
    expect([examined.length, compared.length]).toEqual([1, 1]);
    // A second one can only say that the person went on without movements.
    expect((await examinations(id)).length).toBeLessThanOrEqual(2);
  });

  test('are compared again if the selfie was replaced, and the document is not read again', async () => {
    const { id, user } = await started('document_liveness');
    await user.upload('passport_page', await anyPicture());
    await user.upload('selfie', await anyPicture(1300, 900));
    await user.noMovements();
    await expect.poll(() => ahead(id), { timeout: 30_000 }).toContain('selfie');
    plan.looks = { selfie: 'no_face' };
    script.answer = { finding: 'face_not_found' };
    await user.upload('selfie', await anyPicture(1400, 900));
    await user.submit();
    expect((await completed(id)).reasons[1]).toContain('no face was found');
    expect(examined).toHaveLength(1);
    expect(compared.at(-1)?.selfie).not.toEqual(compared[0]?.selfie);
  });

  test.each([
    [{ distance: 0.3, recaptured: 0.1 }, 'passed', 0.75, 'look alike'],
    [{ distance: 0.6, recaptured: 0.1 }, 'doubt', 0.5, 'in doubt'],
    [{ distance: 0.9, recaptured: 0.1 }, 'failed', 0.75, 'look different'],
    [{ finding: 'several_faces' }, 'doubt', 0, 'several faces'],
  ] as const)(
    'that are found as %o end in a review that says so',
    async (answer, result, confidence, words) => {
      covers('1/face-comparison-indicative', '1/no-biometric-proof');
      await harness.settings({ decisions: 'machine_may_decide' });
      script.answer = answer;
      const { id, verdict } = await walked();
      await harness.settings({ decisions: 'people' });
      expect(verdict).toMatchObject({ outcome: 'review', assurance_level: 'low', reviewed: false });
      expect(verdict.reasons.join(' ')).toContain(words);
      expect((await completedLine(id))?.verdict.checks).toContainEqual({
        kind: 'face_match',
        result,
        confidence,
      });
    },
  );
});

test('each check has what made it, by which threshold, and why it could not be made, in its row and in the history', async () => {
  script.answer = { finding: 'portrait_too_small' };
  const { id } = await walked();
  const made = expect.objectContaining({
    kind: 'face_match',
    engine: { name: 'face-comparer', version: expect.stringContaining('@vladmandic/face-api') },
    threshold: faceThreshold,
    finding: 'portrait_too_small',
  });
  const [row] = await harness.rows<{ makings: unknown[] }>`
    select makings from examinations where verification_id = ${id} order by number desc limit 1`;
  expect(row?.makings).toContainEqual(made);
  expect(row?.makings).toHaveLength(6);
  const makings = (await completedLine(id))?.makings;
  expect(makings).toContainEqual(made);
  expect(makings?.map(({ kind, engine }) => `${kind} ${(engine as { name: string }).name}`)).toContain(
    'document_expiry document-reader',
  );
});

test('a hint of a screen or a print changes no result, and stands in the verdict, the row and the history', async () => {
  script.answer = { distance: 0.3, recaptured: 0.9 };
  const { id, verdict } = await walked();
  expect(verdict.outcome).toBe('review');
  expect(verdict.reasons.join(' ')).toContain('look alike');
  expect(verdict.reasons).toContain(reasons.selfie_may_be_recaptured.en);
  const line = await completedLine(id);
  expect(line?.verdict.checks).toContainEqual({ kind: 'face_match', result: 'passed', confidence: 0.75 });
  const made = expect.objectContaining({ kind: 'face_match', finding: 'selfie_may_be_recaptured' });
  const [row] = await harness.rows<{ makings: unknown[] }>`
    select makings from examinations where verification_id = ${id} order by number desc limit 1`;
  expect(row?.makings).toContainEqual(made);
  expect(line?.makings).toContainEqual(made);
});

test('nothing that describes a face is stored or sent: only the band, a rounded confidence and the rule', async () => {
  script.answer = { distance: 0.31415926, recaptured: 0.27182818 };
  const { id } = await walked();
  const stored = JSON.stringify(
    await harness.rows`
      select e.checks, e.makings, v.verdict, l.data from verifications v
      join examinations e on e.verification_id = v.id join ledger l on l.subject_id = v.id where v.id = ${id}`,
  );
  expect(stored).toContain('"confidence":0.74');
  expect(stored).not.toMatch(/distance|descript|0\.314|0\.738|0\.271/);
});

test('a comparison that is lost is in doubt at once: the verdict does not wait for it', async () => {
  script.failures = 10;
  const { id, verdict } = await walked();
  expect(verdict.reasons).toContain('The face comparison was not made; a person makes the final assessment.');
  expect((await completedLine(id))?.makings).toContainEqual(
    expect.objectContaining({ kind: 'face_match', finding: 'faces_not_compared' }),
  );
  expect(examined.length).toBeLessThanOrEqual(2);
});

test('a document that cannot be examined keeps the comparison that was made, and is tried again', async () => {
  plan.looks = { passport_page: 'unreadable' };
  plan.failures = 1;
  const { id } = await walked();
  expect([examined.length, compared.length]).toEqual([2, 1]);
  expect(await examinations(id)).toEqual([{ number: 1 }, { number: 2 }]);
});

test('a method without a face compares none', async () => {
  const { id, user } = await started('document_only');
  await user.upload('passport_page', await anyPicture());
  await user.submit();
  await completed(id);
  expect(compared).toHaveLength(0);
  const { json } = await call(harness, 'GET', `/v1/verifications/${id}`, { key });
  expect(json.verdict.reasons.join(' ')).not.toContain('face');
});
