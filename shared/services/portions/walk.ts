import type { RowKey } from '#store/database/paging.ts';
import { inBatches } from './in-batches.ts';

/** A part of a walk. It reads one table in the order of its primary key. */
export type Part = {
  name: string;
  /** The text of a place in this part: the columns of a key, with slashes between them. */
  place: RegExp;
  pages(after: RowKey | undefined): AsyncIterable<{ rows: number; last: RowKey }>;
};

type PartOf<Row> = Pick<Part, 'name' | 'place'> & {
  rowsAtOnce: number;
  find(after: RowKey | undefined, limit: number): Promise<Row[]>;
  keyOf(row: Row): RowKey;
  /** The place from which an interrupted walk continues after this row. By default this is the key of the row. */
  placeOf?(row: Row): RowKey;
  /** `after` is the key of the row before the first of these rows. */
  work(rows: readonly Row[], after: RowKey | undefined): void | Promise<void>;
};

export const partOf = <Row>({ name, place, placeOf, ...part }: PartOf<Row>): Part => ({
  name,
  place,
  async *pages(from) {
    const { rowsAtOnce, find, keyOf, work } = part;
    let after = from;
    for await (const rows of inBatches(from, rowsAtOnce, find, keyOf)) {
      await work(rows, after);
      const last = rows.at(-1) as Row;
      after = keyOf(last);
      yield { rows: rows.length, last: (placeOf ?? keyOf)(last) };
    }
  },
});

export type Place = { part: string; after: RowKey };

/** `rows` is the number of rows of this part that were read. A walk that is interrupted can continue from `place`. */
export type Progress = { part: string; rows: number; place: string };

export type Course = { from?: Place | undefined; watch?(progress: Progress): void };

/** Goes through whole tables, however large they are, with one page in memory at a time. */
export async function walk(parts: readonly Part[], { from, watch }: Course): Promise<void> {
  const first = from === undefined ? 0 : parts.findIndex(({ name }) => name === from.part);
  for (const { name, pages } of parts.slice(first)) {
    let rows = 0;
    for await (const page of pages(from?.part === name ? from.after : undefined)) {
      rows += page.rows;
      watch?.({ part: name, rows, place: [name, ...page.last].join('/') });
    }
  }
}

/** Returns undefined if the text is no place in these parts. */
export function readPlace(text: string, parts: readonly Pick<Part, 'name' | 'place'>[]): Place | undefined {
  const [name = '', ...after] = text.split('/');
  const part = parts.find((each) => each.name === name);
  return part?.place.test(after.join('/')) ? { part: name, after } : undefined;
}

/** A place that is one UUID. */
export const uuidPlace = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
