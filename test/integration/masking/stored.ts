import type { Method } from '#contract/enums.ts';
import { allChecksOf, examinersOf } from '#policy/methods/examiners.ts';
import { madeUpCopy } from '#test/support/examiners/quick-masker.ts';
import { call, type Harness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';

type Line = { type: string; data: Record<string, unknown> };

/** What a masker answers. */
export const copies = {
  ...{ front: madeUpCopy, back: null, portrait: madeUpCopy },
  ...{ bsnDetected: true, inDoubt: false },
};

/** Verifications around their masking, and what is stored of them. */
export function maskingsIn(harness: Harness, key: string) {
  const { rows } = harness;
  const started = async (method: Method = 'document_only') => {
    const body = { method };
    const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
    const user = person(harness, json.verify_url);
    await user.start();
    await user.upload('passport_page', await anyPicture());
    if (method === 'document_liveness') {
      await user.upload('selfie', await anyPicture());
      await user.noMovements();
    }
    return { id: json.id as string, user };
  };
  const refOf = async (id: string) => {
    const [row] = await rows<{ org_id: string }>`select org_id from verifications where id = ${id}`;
    return { verificationId: id, orgId: String(row?.org_id), environment: 'live' as const };
  };
  return {
    started,
    refOf,

    /** Sent and examined, behind the back of its workflow, which then does not mask it. */
    async examined(method: Method = 'document_only') {
      const checks = examinersOf(method).flatMap((examiner) => allChecksOf(examiner, []));
      const { id, user } = await started(method);
      await rows`update verifications set submitted_at = now() where id = ${id}`;
      await rows`
        insert into examinations (verification_id, number, checks) values (${id}, 1, ${JSON.stringify(checks)}::jsonb)`;
      return { id, user, ref: await refOf(id) };
    },

    kinds: async (id: string) =>
      (
        await rows<{ kind: string }>`select kind from evidence where verification_id = ${id} order by kind`
      ).map(({ kind }) => kind),

    keys: (id: string) => rows`select 1 from data_keys where verification_id = ${id}`,

    maskedLines: (id: string) =>
      rows<Line>`select type, data from ledger where subject_id = ${id} and type = 'evidence.masked'`,
  };
}
