import { expect, vi } from 'vitest';
import type { Rows } from './rows.ts';

/** Waits until no original of a document is left. The verdict does not wait for that. It may be called before the tests of a file too. */
export const untilMasked = (rows: Rows, id: string): Promise<void> =>
  vi.waitFor(
    async () => {
      const originals = await rows`
        select kind from evidence where verification_id = ${id} and kind in ('passport_page', 'card_front', 'card_back')`;
      expect(originals).toEqual([]);
    },
    { timeout: 120_000, interval: 100 },
  );
