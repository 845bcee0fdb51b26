import { expect } from 'vitest';
import { newPublicId } from '#platform/crypto/crypto.ts';
import type { RequestLogLine } from '#store/request-log.ts';
import type { Harness } from '#test/support/harness.ts';

type Line = Pick<RequestLogLine, 'orgId' | 'keyId' | 'createdAt'> & Partial<RequestLogLine>;

/** Makes the line of a request that was answered with 200. */
export const requestLine = (line: Line): RequestLogLine => ({
  requestId: newPublicId('req_'),
  environment: 'sandbox',
  method: 'GET',
  path: '/v1/verifications',
  status: 200,
  code: null,
  durationMs: 1,
  ...line,
});

/** Returns the stored lines, oldest first, without the id, which only orders them. */
export async function linesOf({ store }: Pick<Harness, 'store'>, keyId: string) {
  const rows = await store.db
    .selectFrom('request_log')
    .selectAll()
    .where('keyId', '=', keyId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(({ id: _, ...line }) => line);
}

/** The request log is written a second later, so this waits until it has so many lines of this key. */
export async function awaitLines(harness: Pick<Harness, 'store'>, keyId: string, count: number) {
  await expect
    .poll(async () => (await linesOf(harness, keyId)).length, { timeout: 10_000, interval: 50 })
    .toBeGreaterThanOrEqual(count);
  return linesOf(harness, keyId);
}

export async function requestLogAsText(harness: Harness): Promise<string> {
  const rows = await harness.rows<{ row: string }>`select t::text as row from request_log t`;
  return rows.map(({ row }) => row).join('\n');
}
