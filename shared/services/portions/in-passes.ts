/** The rows that a pass of a sweep found, and how many of their workflows could not be started. */
export type Swept = { found: number; failed: number };
/** Makes one pass. If the signal is aborted, the pass ends early. */
export type Sweep = (signal: AbortSignal) => Promise<Swept>;

type List<Row, Place> = {
  first: Place;
  /** The maximum number of rows in one pass. */
  rowsMax: number;
  batchSize: number;
  /** Returns at most `limit` rows that come after the given place. */
  find: (after: Place, limit: number) => Promise<Row[]>;
  placeOf: (row: Row) => Place;
};

/**
 * Reads a list in passes. Each call of the returned function is one pass and yields batches. A pass continues where the last pass
 * ended, and a pass that meets the end of the list lets the next pass begin at `first`. So rows that stay in the list never keep
 * the passes from the rows after them.
 */
export function inPasses<Row, Place>({ first, rowsMax, batchSize, find, placeOf }: List<Row, Place>) {
  let after = first;
  return async function* pass(): AsyncGenerator<Row[], void> {
    for (let left = rowsMax; left > 0; ) {
      const limit = Math.min(batchSize, left);
      const batch = await find(after, limit);
      const last = batch.at(-1);
      after = last === undefined || batch.length < limit ? first : placeOf(last);
      if (batch.length > 0) yield batch;
      if (batch.length < limit) return;
      left -= batch.length;
    }
  };
}
