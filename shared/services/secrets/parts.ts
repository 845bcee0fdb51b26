import { linksAfter, type SealedColumn, sealedColumns, sealsAfter } from '#store/keeping/seals.ts';
import type { Context } from '../context.ts';
import { firstId } from '../portions/in-batches.ts';
import { type Part, partOf, uuidPlace } from '../portions/walk.ts';

export type SealContext = Pick<Context, 'store' | 'secrets'>;
export type SealPurpose = keyof typeof sealedColumns;

const rowsAtOnce = 5_000;

export const columns = Object.entries(sealedColumns).flatMap(([purpose, each]) =>
  each.map((column) => ({ purpose: purpose as SealPurpose, column })),
);

const links = { name: 'verifications.links', place: uuidPlace };
const places: Record<string, RegExp> = {
  id: uuidPlace,
  'subject_id/sequence': /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\/\d{1,9}$/,
  verification_id: uuidPlace,
  org_id: uuidPlace,
  'verification_id/request_id': /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\/req_[\da-z]+$/,
  'delivery_id/number': /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\/\d$/,
  'verification_id/kind': /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\/[a-z_]+$/,
};

function partOfColumn({ table, column, key }: SealedColumn): Pick<Part, 'name' | 'place'> {
  const place = places[key.join('/')];
  if (place === undefined) throw new Error(`${table} has a primary key of another form`);
  return { name: `${table}.${column}`, place };
}

/** The parts of a walk through all links and all sealed values. */
export const sealParts = [links, ...columns.map(({ column }) => partOfColumn(column))];

type Work<Row> = Parameters<typeof partOf<Row>>[0]['work'];
type Rows<Find extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<Find>>[number];

export const eachLink = ({ store }: SealContext, work: Work<Rows<typeof linksAfter>>): Part =>
  partOf({
    ...links,
    rowsAtOnce,
    find: (after, limit) => linksAfter(store.db, String(after?.[0] ?? firstId), limit),
    keyOf: ({ id }) => [id],
    work,
  });

export const eachSeal = (
  { store }: SealContext,
  column: SealedColumn,
  work: Work<Rows<typeof sealsAfter>>,
): Part =>
  partOf({
    ...partOfColumn(column),
    rowsAtOnce,
    find: (after, limit) => sealsAfter(store.db, column, after, limit),
    keyOf: ({ key }) => key,
    work,
  });
