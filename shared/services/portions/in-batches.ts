/** The smallest UUID. Every real id comes after it. */
export const firstId = '00000000-0000-0000-0000-000000000000';

/** The place before every row in a list that is ordered by time and id. */
export const firstPlace = { at: new Date(0), id: firstId };

/**
 * Yields all rows of a query in batches. `find` returns at most `limit` rows that come after the given place. If a batch has
 * fewer than `limit` rows, it is the last batch.
 */
export async function* inBatches<Row, Place>(
  first: Place,
  limit: number,
  find: (after: Place, limit: number) => Promise<Row[]>,
  placeOf: (row: Row) => Place,
): AsyncGenerator<Row[], void> {
  for (let after = first; ; ) {
    const batch = await find(after, limit);
    if (batch.length > 0) yield batch;
    const last = batch.at(-1);
    if (last === undefined || batch.length < limit) return;
    after = placeOf(last);
  }
}
