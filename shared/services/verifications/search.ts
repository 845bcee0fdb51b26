import { Problem } from '#contract/errors.ts';
import { storableText, uuid } from '#contract/fields.ts';
import type { ListQuery } from '#contract/list.ts';
import {
  type FoundVerification,
  type SearchFor,
  searchOf,
} from '#store/verifications/verification-search.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { type LookedBack, lookBack } from '../portions/look-back.ts';
import { pageOf } from '../portions/page.ts';

export type { FoundVerification };

export type Search = Omit<SearchFor, 'name'> & {
  text?: string | undefined;
  /** True if a part of a reference is not enough. */
  isWhole?: boolean | undefined;
} & ListQuery;

/**
 * The verifications of an organisation that match, newest first. `text` is an id, a `dossier_ref` or a reference of the partner. Only if
 * no reference is this text, those that contain it are searched for, in any case of letters. No index has parts of a reference, so such a
 * page says how far it looked back.
 */
export async function searchVerifications(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { text, isWhole = false, limit, starting_after, ...wanted }: Search,
): Promise<LookedBack<FoundVerification>> {
  assertMay(caller, 'verifications.see');
  const { scope } = caller;
  const search = searchOf(scope, store.db);
  const name = text?.trim() ? nameIn(text) : undefined;
  const { data, next_starting_after: next } = await pageOf(
    {
      newest: (page) => search.newest({ ...wanted, name, ...page }),
      find: verificationsOf(scope, store.db).find,
    },
    { limit, starting_after },
    (row) => row,
  );
  if (data.length > 0 || isWhole || name?.column !== 'reference') return { data, next, lookedBackTo: null };
  const part = inOneCase(name.value);
  return lookBack({
    ...{ limit, wanted: { part }, from: starting_after },
    before: (after, count) => search.newest({ ...wanted, limit: count, after }),
    placeOf: ({ id }) => id,
    textOf: (id = '') => id,
    itemOf: (row) => (inOneCase(row.reference ?? '').includes(part) ? row : undefined),
  });
}

/** The lower case of Σ depends on the letter behind it, and ẞ has no other upper case. After both steps a part stays a part. */
const inOneCase = (text: string): string => text.toLowerCase().toUpperCase();

function nameIn(text: string): NonNullable<SearchFor['name']> {
  const value = text.trim();
  if (!storableText.safeParse(value).success) throw new Problem('invalid_parameter');
  if (uuid.safeParse(value.toLowerCase()).success) return { column: 'id', value: value.toLowerCase() };
  if (value.startsWith('dos_')) return { column: 'dossierRef', value };
  return { column: 'reference', value };
}
