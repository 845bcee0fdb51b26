import { expect } from 'vitest';
import type { Method } from '#contract/enums.ts';
import { call, type Harness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';

type Picture = { kind: string; look: string | null; advised: number; ahead: boolean };

/** Persons of live before Send, and what is stored of their pictures. */
export const looksIn = (harness: Harness, key: string) => ({
  async started(method: Method = 'document_only') {
    const { json } = await call(harness, 'POST', '/v1/verifications', { key, body: { method } });
    const user = person(harness, json.verify_url);
    await user.start();
    const [row] = await harness.rows<{ org_id: string }>`
      select org_id from verifications where id = ${json.id}`;
    const ref = { verificationId: json.id, orgId: String(row?.org_id), environment: 'live' as const };
    return { id: json.id as string, user, ref };
  },

  pictures: (id: string) =>
    harness.rows<Picture>`
      select kind, look, advised, examined_ahead is not null as ahead
      from evidence where verification_id = ${id} order by kind`,

  examinations: (id: string) =>
    harness.rows`select number from examinations where verification_id = ${id} order by number`,

  completed: async (id: string) => {
    const read = async () => (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json;
    await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toBe('completed');
    return (await read()).verdict;
  },

  submittedLine: async (id: string) => {
    const [line] = await harness.rows<{ data: Record<string, unknown> }>`
      select data from ledger where subject_id = ${id} and type = 'verification.submitted'`;
    return line?.data;
  },
});
