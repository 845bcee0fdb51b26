import { expect, test } from 'vitest';
import { pictureLooker } from '../../support/examiners/picture-looker.ts';
import { startHarness } from '../../support/harness.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { browserOfFile } from '../browser.ts';
import { choose, consent, heading, linkOf, press, stayStill } from '../person.ts';
import { fakeCamera } from './fake-camera.ts';
import { card, devices, passport, photograph, sourcesIn } from './photographing.ts';

/** Persons of live, from the link to the end. The product itself looks at their photos, reads the document and compares the faces. */

const harness = await startHarness({ looker: await pictureLooker() });
const camera = await fakeCamera();
const visit = browserOfFile(harness, camera.flags);
const { key } = await harness.key({ environment: 'live' });
const patience = { timeout: 240_000 };

const walks = [
  ['document_only', 'nl', passport],
  ['document_liveness', 'en', [...card, 'selfie']],
] as const;

test.each(walks)(
  'in live, with %s, in %s, a person goes from the link to the end with the camera: %j',
  async (method, language, kinds) => {
    const { confirm, done } = pageTexts[language];
    const { scene, options } = devices.phone;
    const link = await linkOf(harness, key, method);
    const { page, surprises } = await visit(`${link}?lang=${language}`, options);
    const [row] = await harness.rows<{
      id: string;
    }>`select id from verifications order by created_at desc limit 1`;
    const id = String(row?.id);
    const looks = () => harness.rows`
      select kind, look from evidence where verification_id = ${id} and look is not null order by taken_at`;
    await consent(page);
    await press(page, 'start');
    await choose(page, kinds[0]);
    for (const [index, kind] of kinds.entries()) {
      await photograph(page, camera, kind, language, scene);
      const fine = kinds.slice(0, index + 1).map((each) => ({ kind: each, look: 'fine' }));
      await expect.poll(looks, patience).toEqual(fine);
    }
    if (method === 'document_liveness') await stayStill(page, language);
    await expect.poll(() => heading(page)).toBe(confirm.title);
    expect(await sourcesIn(harness, link)).toEqual(['live_camera']);
    await press(page, 'submit');
    await expect.poll(() => heading(page), patience).toBe(done.title);
    type Verdict = { outcome: string; checks: { kind: string; result: string }[] };
    const [stored] = await harness.rows<{ status: string; verdict: Verdict }>`
      select status, verdict from verifications where id = ${id}`;
    expect(stored).toMatchObject({ status: 'completed', verdict: { outcome: 'review' } });
    const results = new Map(stored?.verdict.checks.map((check) => [check.kind, check.result]));
    expect(results.get('mrz_check_digits')).toBe('passed');
    expect(results.get('document_expiry')).toBe('passed');
    expect(surprises).toEqual([]);
  },
  600_000,
);
