import sharp from 'sharp';
import { expect, vi } from 'vitest';
import { call, type Harness } from '../../support/harness.ts';
import { person } from '../../support/people/person.ts';
import { untilMasked } from '../../support/rows/masked.ts';
import { bsnSpecimen } from '../../support/specimens/bsn/specimens.ts';
import { inventedFace } from '../../support/specimens/with-portrait.ts';

/** Waits also before the tests of a file. */
export const until = (read: () => Promise<unknown>, wanted: unknown) =>
  vi.waitFor(async () => expect(await read()).toBe(wanted), { timeout: 100_000, interval: 200 });

/** Returns a function with which a person walks through the flow with a drawn document and a drawn face, until the verdict. */
export async function drawnWalks(
  harness: Harness,
  key: string,
  kind: 'card of 2021' | 'passport of 2014' = 'card of 2021',
) {
  const { front, back } = await bsnSpecimen(1, { kind, form: 'plain', shot: {} });
  const selfie = await sharp(inventedFace)
    .resize({ width: 900 })
    .flatten({ background: '#ccc' })
    .jpeg()
    .toBuffer();
  return async (reference: string): Promise<string> => {
    const body = { method: 'document_liveness', reference };
    const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
    const user = person(harness, json.verify_url);
    await user.start();
    await user.upload(back === null ? 'passport_page' : 'card_front', front, 'front.jpg', 'live_camera');
    if (back !== null) await user.upload('card_back', back);
    await user.upload('selfie', selfie, 'selfie.jpg', 'live_camera');
    await user.noMovements();
    await user.submit();
    const status = async () =>
      (await call(harness, 'GET', `/v1/verifications/${json.id}`, { key })).json.status;
    await until(status, 'completed');
    await untilMasked(harness.rows, json.id);
    return json.id;
  };
}
