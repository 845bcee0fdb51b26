import { describe, expect, test } from 'vitest';
import type { DocumentReader } from '#activities/checks/port.ts';
import type { ReadDocument } from '#contract/documents/read-fields.ts';
import type { Check } from '#contract/workflows.ts';
import { lookAtEvidence } from '#services/reviews/evidence.ts';
import { openMaterial } from '#services/reviews/material.ts';
import { scripted } from '#test/integration/verify/looks/scripted.ts';
import { startHarness } from '#test/support/harness.ts';
import { eraseByOperator, exportByOperator, settle } from '#test/support/people/as-operator.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { anna, startOffice } from './support.ts';

const read: ReadDocument = {
  ratios: [1.5],
  fields: [
    {
      ...{ field: 'surname', value: 'GEHEIMNAAM', agreed: true, inPrint: false, print: [] },
      zone: {
        side: 'front',
        corners: [
          [0.1, 0.8],
          [0.5, 0.8],
          [0.5, 0.85],
          [0.1, 0.85],
        ],
      },
    },
  ],
};
const plan: { checks: Check[]; read: ReadDocument | null } = { checks: [], read };
const documents: DocumentReader = { check: async () => ({ ...plan }), close: async () => undefined };
const harness = await startHarness({ documents, looker: scripted().looker });
const office = await startOffice(harness, { environment: 'live' });

const kindsOf = async (id: string) =>
  (
    await harness.rows<{
      kind: string;
    }>`select kind from evidence where verification_id = ${id} order by kind`
  ).map(({ kind }) => kind);
const sealedOf = (id: string) =>
  harness.rows<{ picture: Buffer }>`
    select picture from evidence where verification_id = ${id} and kind = 'fields'`;

describe('what was read of a document', () => {
  test('is shown to the member who decides, noted as seen, and over with the decision', async () => {
    const id = await office.walked();
    const [sealed] = await sealedOf(id);
    expect(sealed?.picture.includes('GEHEIMNAAM')).toBe(false);
    await office.claim(anna, id);
    const material = await openMaterial(office.ctx(), office.as(anna), { id });
    expect(material.read).toEqual(read);
    expect(material.pictures.map(({ kind }) => kind)).not.toContain('fields');
    const lines = await office.lines(id);
    expect(lines.at(-1)).toMatchObject({
      type: 'evidence.viewed',
      data: { kinds: expect.arrayContaining(['fields', 'masked_front']) },
    });
    expect(JSON.stringify(lines)).not.toContain('GEHEIMNAAM');
    await office.decide(anna, id);
    await expect.poll(async () => (await office.read(id)).verdict.reviewed, { timeout: 20_000 }).toBe(true);
    expect(await lookAtEvidence(office.ctx(), office.as(anna), { id })).toBeNull();
    const [end] = await harness.rows<{ over: boolean }>`
      select expires_at <= now() as over from evidence where verification_id = ${id} and kind = 'fields'`;
    expect(end?.over).toBe(true);
  });

  test('goes with the picture that it was read of, before Send', async () => {
    const handed = await office.handedIn();
    await expect.poll(() => kindsOf(handed.id), { timeout: 20_000 }).toContain('fields');
    plan.read = null;
    await handed.user.upload('passport_page', await anyPicture());
    const [row] = await sealedOf(handed.id);
    expect(row).toBeUndefined();
    const id = await office.sent(handed);
    expect(await kindsOf(id)).not.toContain('fields');
    plan.read = read;
  });

  test.each(['decline', 'withdraw'])('goes with all else if the person presses %s', async (action) => {
    await settle(harness.store, office.org, { offersOtherWay: true, contact: 'help@office.example' });
    const { json } = await office.ask('POST', '/verifications', { method: 'document_liveness' });
    const user = person(harness, json.verify_url);
    await user.start();
    await user.upload('passport_page', await anyPicture());
    await expect.poll(() => kindsOf(json.id), { timeout: 20_000 }).toContain('fields');
    await user.press(action);
    expect(await kindsOf(json.id)).toEqual([]);
  });

  test('is not kept where a machine decides', async () => {
    await settle(harness.store, office.org, { decisions: 'machine_may_reject' });
    plan.checks = [{ kind: 'document_expiry', result: 'failed', confidence: 0.99 }];
    const id = await office.sent(await office.handedIn());
    expect((await office.read(id)).verdict.outcome).toBe('rejected');
    expect(await kindsOf(id)).toEqual(['masked_front', 'selfie']);
    plan.checks = [];
    await settle(harness.store, office.org, { decisions: 'people' });
  });

  test('is in the copy that a person asks for, and gone with an erasure that names it', async () => {
    const id = await office.walked();
    const { evidence } = await exportByOperator(harness.ctx, id);
    expect(evidence.find(({ kind }) => kind === 'fields')).toMatchObject({ read });
    await eraseByOperator(harness, id);
    expect(await kindsOf(id)).toEqual([]);
    expect((await office.lines(id)).at(-1)).toMatchObject({
      type: 'verification.erased',
      data: { kinds: expect.arrayContaining(['fields']) },
    });
  });
});
