import { Problem } from '#contract/errors.ts';
import { uuid } from '#contract/fields.ts';
import type { ListQuery } from '#contract/list.ts';

type Finder<Row> = {
  newest(page: { limit: number; after: string | undefined }): Promise<Row[]>;
  find(id: string): Promise<unknown>;
};

export type Page<Item> = {
  object: 'list';
  data: Item[];
  has_more: boolean;
  next_starting_after: string | null;
};

/**
 * Returns one page, newest row first (specification 2.3 and rule 5 of 4.1; decision 19), or in the order in which the finder reads rows. Reads one extra row to find out whether
 * another page follows. If the cursor is not a row of this list, throws `invalid_cursor`. Only an empty page needs this check,
 * because no row follows an invalid cursor.
 */
export async function pageOf<Row extends { id: string }, Item>(
  { newest, find }: Finder<Row>,
  { limit, starting_after: after }: ListQuery,
  view: (row: Row) => Item,
): Promise<Page<Item>> {
  if (after !== undefined && !uuid.safeParse(after).success) throw new Problem('invalid_cursor');
  const found = await newest({ limit: limit + 1, after });
  if (found.length === 0 && after !== undefined && (await find(after)) === undefined)
    throw new Problem('invalid_cursor');
  const rows = found.slice(0, limit);
  const has_more = found.length > limit;
  return {
    object: 'list',
    data: rows.map(view),
    has_more,
    next_starting_after: has_more ? (rows.at(-1)?.id ?? null) : null,
  };
}
