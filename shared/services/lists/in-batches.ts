/** The least id: every real id comes after it. */
export const firstId = '00000000-0000-0000-0000-000000000000';

/** The place before every row that is ordered by time and id. */
export const firstPlace = { at: new Date(0), id: firstId };

/**
 * All rows of a query, batch by batch. `find` returns at most `limit` rows, which come after the given place. A batch that is not
 * full is the last one.
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
