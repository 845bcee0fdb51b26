import { beforeEach, describe, expect, test } from 'vitest';
import type { DocumentMasker } from '#activities/checks/port.ts';
import { createChecksAhead } from '#activities/run-checks.ts';
import { purgeExpired } from '#services/retention/purge.ts';
import { quickComparer } from '#test/support/examiners/quick-comparer.ts';
import { quickMasker } from '#test/support/examiners/quick-masker.ts';
import { quickMeasurer } from '#test/support/examiners/quick-measurer.ts';
import { startHarness } from '#test/support/harness.ts';
import { eraseByOperator } from '#test/support/people/as-operator.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { untilMasked } from '#test/support/rows/masked.ts';
import { collectedLog } from '#test/support/run-logs.ts';
import { held, scripted } from './scripted.ts';
import { looksIn } from './stored.ts';

const { looker, documents, plan, asked, examined } = scripted();
const maskings: unknown[] = [];
let masking = Promise.resolve();
const holdMasker = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  masking = promise;
  return resolve;
};
const masker: DocumentMasker = {
  ...quickMasker,
  async mask(pictures, request) {
    maskings.push(request);
    await masking;
    return quickMasker.mask(pictures, request);
  },
};
const harness = await startHarness({ looker, documents, masker });
const { key } = await harness.key({ environment: 'live' });
const { started, pictures, examinations, completed } = looksIn(harness, key);
const isExaminedAhead = async (id: string) => (await pictures(id)).some(({ ahead }) => ahead);
const examinedAhead = (id: string) => expect.poll(() => isExaminedAhead(id), { timeout: 30_000 }).toBe(true);
/** Waits until the pictures were looked at with these results, by kind. */
const looked = (id: string, looks: string[]) =>
  expect.poll(async () => (await pictures(id)).map(({ look }) => look), { timeout: 30_000 }).toEqual(looks);

beforeEach(() => {
  Object.assign(plan, { looks: {}, failures: 0, heldLook: undefined, heldCheck: undefined });
  asked.length = 0;
  examined.length = 0;
  maskings.length = 0;
});

describe('a document', () => {
  test('is examined when its pictures are accepted, and Send uses that', async () => {
    const { id, user } = await started();
    await user.upload('passport_page', await anyPicture());
    await examinedAhead(id);
    expect(await examinations(id)).toEqual([]);
    await user.submit();
    expect((await completed(id)).outcome).toBe('review');
    expect(examined).toHaveLength(1);
    expect(await examinations(id)).toEqual([{ number: 1 }]);
    const [line] = await harness.rows<{ data: { engine?: { name: string } } }>`
      select data from ledger where subject_id = ${id} and type = 'verification.completed'`;
    expect(line?.data.engine?.name).toBe('document-reader');
  });

  test('is examined, and has its verdict, while the machine masks as many others as it can', async () => {
    const release = holdMasker();
    const ids: string[] = [];
    for (let person = 1; person <= 4; person++) {
      const { id, user } = await started();
      ids.push(id);
      await user.upload('passport_page', await anyPicture());
      await examinedAhead(id);
      await user.submit();
      await completed(id);
    }
    expect(maskings).toHaveLength(1);
    release();
    for (const id of ids) await untilMasked(harness.rows, id);
  });

  test('of two pictures is examined when both are there', async () => {
    const { id, user } = await started();
    await user.upload('card_front', await anyPicture());
    await expect.poll(() => asked, { timeout: 30_000 }).toEqual(['card_front']);
    expect(examined).toHaveLength(0);
    await user.upload('card_back', await anyPicture(1300, 900));
    await examinedAhead(id);
    expect(examined).toHaveLength(1);
  });

  test('for which a better picture is asked is examined after Send only', async () => {
    plan.looks = { passport_page: 'unreadable' };
    const { id, user } = await started();
    await user.upload('passport_page', await anyPicture());
    await looked(id, ['unreadable']);
    expect(examined).toHaveLength(0);
    await user.submit();
    await completed(id);
    expect(examined).toHaveLength(1);
  });

  test('of which a picture was replaced is examined again', async () => {
    const { id, user } = await started();
    await user.upload('card_front', await anyPicture());
    await user.upload('card_back', await anyPicture(1300, 900));
    await examinedAhead(id);
    plan.looks = { card_back: 'no_zone' };
    await user.upload('card_back', await anyPicture(1400, 900));
    await looked(id, ['no_zone', 'fine']);
    await user.submit();
    await completed(id);
    expect(examined).toHaveLength(2);
    expect(await examinations(id)).toEqual([{ number: 1 }]);
  });

  test('that is being examined when the person sends is not examined twice', async () => {
    const release = held(plan, 'heldCheck');
    const { id, user } = await started();
    await user.upload('passport_page', await anyPicture());
    await expect.poll(() => examined, { timeout: 30_000 }).toHaveLength(1);
    await user.submit();
    release();
    await completed(id);
    expect(examined).toHaveLength(1);
  });

  test('that was replaced while it was examined is not judged by the old picture', async () => {
    const release = held(plan, 'heldCheck');
    const { id, user } = await started();
    await user.upload('passport_page', await anyPicture());
    await expect.poll(() => examined, { timeout: 30_000 }).toHaveLength(1);
    plan.looks = { passport_page: 'unreadable' };
    await user.upload('passport_page', await anyPicture(1300, 900));
    await looked(id, ['unreadable']);
    await user.submit();
    release();
    await completed(id);
    expect(examined).toHaveLength(2);
    expect(await examinations(id)).toEqual([{ number: 1 }]);
  });

  test('whose examination before Send fails is examined after it', async () => {
    plan.failures = 1;
    const { id, user } = await started();
    await user.upload('passport_page', await anyPicture());
    await expect.poll(() => examined, { timeout: 30_000 }).toHaveLength(1);
    await user.submit();
    await completed(id);
    expect(examined).toHaveLength(2);
    expect(await examinations(id)).toEqual([{ number: 1 }]);
  });

  test('is not examined before Send more than three times in one run', async () => {
    const { user } = await started();
    for (let index = 1; index <= 5; index++)
      await user.upload('passport_page', await anyPicture(1200 + index, 900));
    await expect.poll(() => asked, { timeout: 30_000 }).toHaveLength(5);
    await expect.poll(() => examined.length).toBeGreaterThan(0);
    expect(examined.length).toBeLessThanOrEqual(3);
  });
});

describe('what was found before Send', () => {
  const found = async () => {
    const { id, user, ref } = await started();
    await user.upload('passport_page', await anyPicture());
    await examinedAhead(id);
    return { id, user, ref };
  };

  test('about other pictures counts for nothing, whoever wrote it', async () => {
    const { id, user } = await found();
    await harness.rows`
      update evidence set examined_ahead = jsonb_set(examined_ahead, '{of}', '"passport_page 00"')
      where verification_id = ${id}`;
    await user.submit();
    await completed(id);
    expect(examined).toHaveLength(2);
  });

  test('goes with a withdrawal', async () => {
    const { id, user } = await found();
    await user.press('withdraw');
    expect([await pictures(id), await examinations(id)]).toEqual([[], []]);
  });

  test('goes with an erasure', async () => {
    const { id } = await found();
    await eraseByOperator(harness, id);
    expect([await pictures(id), await examinations(id)]).toEqual([[], []]);
  });

  test('goes with the pictures when the link has expired', async () => {
    const { id } = await found();
    await harness.rows`
      update evidence set expires_at = now() - interval '1 second' where verification_id = ${id}`;
    await purgeExpired(
      { store: harness.housekeepingStore, clock: harness.ctx.clock },
      { what: 'evidence', rowsMax: 25 },
    );
    expect([await pictures(id), await examinations(id)]).toEqual([[], []]);
  });

  test('of another organisation is never touched', async () => {
    const { id, ref } = await found();
    await harness.rows`update evidence set examined_ahead = null where verification_id = ${id}`;
    const { organisationId } = await harness.key({ environment: 'live', org: 'Other' });
    const ahead = createChecksAhead(
      harness.ctx,
      { documents, faces: quickComparer, liveness: quickMeasurer },
      collectedLog('ahead'),
    );
    await ahead({ ...ref, orgId: organisationId });
    expect(examined).toHaveLength(1);
    expect(await isExaminedAhead(id)).toBe(false);
    await ahead(ref);
    expect(await isExaminedAhead(id)).toBe(true);
  });
});
