import { expect, vi } from 'vitest';
import { call, type Harness } from '../harness.ts';
import type { startPartner } from './partner.ts';
import { person } from './person.ts';

export const waiting = { timeout: 60_000, interval: 200 };

/** What the tests of a visit to a bank do with a verification of this partner. */
export function bankFlow(
  harness: Pick<Harness, 'url' | 'rows'>,
  { key, receiver }: Awaited<ReturnType<typeof startPartner>>,
) {
  const statusOf = async (id: string) =>
    (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json;

  return {
    /** A verification in live, whose person has agreed and can choose a bank. */
    async started() {
      const { json, status } = await call(harness, 'POST', '/v1/verifications', {
        ...{ key, body: { method: 'idin' } },
      });
      expect(status).toBe(201);
      const user = person(harness, json.verify_url);
      await user.start();
      return { id: json.id as string, user };
    },

    /** Follows the address with which the browser comes back. It names the public address, so only path and query count. */
    back: ({ pathname, search }: URL) => call(harness, 'GET', pathname + search),

    statusOf,

    completed: (id: string) =>
      vi.waitFor(async () => {
        const found = await statusOf(id);
        expect(found.status).toBe('completed');
        return found;
      }, waiting),

    visitsOf: async (id: string) => {
      const rows = await harness.rows<{ status: string }>`
        select status from eid_transactions where verification_id = ${id} order by created_at`;
      return rows.map(({ status }) => status);
    },

    /** One submission and one verdict in the ledger, one event, one webhook. */
    async oneOfEach(id: string): Promise<void> {
      const lines = await harness.rows<{ type: string }>`
        select type from ledger where subject_id = ${id}
        and type in ('verification.submitted', 'verification.completed') order by sequence`;
      expect(lines.map(({ type }) => type)).toEqual(['verification.submitted', 'verification.completed']);
      const events = await harness.rows`
        select from events where verification_id = ${id} and type = 'verification.completed'`;
      expect(events).toHaveLength(1);
      const sent = () => receiver.received.filter(({ body }) => String(body).includes(id));
      await vi.waitFor(() => expect(sent()).not.toHaveLength(0), waiting);
      expect(sent()).toHaveLength(1);
    },
  };
}
