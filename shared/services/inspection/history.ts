import type { RootFiles } from '#platform/crypto/root-files.ts';
import type { Db } from '#store/database/connection.ts';
import { ledgerLinesOfAnyOrganisation, withoutRowOfAnyOrganisation } from '#store/ledger.ts';
import { membersWithHistoryOfAnyOrganisation } from '#store/members/members.ts';
import { keysWithHistory } from '#store/organisations/keys.ts';
import { organisationsWithHistory } from '#store/organisations/organisations.ts';
import { verificationsWithHistoryOfAnyOrganisation } from '#store/verifications/verifications.ts';
import { endpointsWithHistoryOfAnyOrganisation } from '#store/webhooks/webhook-endpoints.ts';
import type { Context } from '../context.ts';
import {
  endpointAgrees,
  keyAgrees,
  membersThatDiffer,
  organisationAgrees,
  verificationAgrees,
} from '../ledger/agrees.ts';
import { beginning, lineHash } from '../ledger/append.ts';
import { isRemoval } from '../ledger/removal.ts';
import { chainsNotKept, holdsItsHeads, newestStatement } from '../ledger/roots.ts';
import { firstId } from '../portions/in-batches.ts';
import { type Course, type Part, partOf, uuidPlace, walk } from '../portions/walk.ts';

export type HistoryFault =
  | 'completed_without_event'
  | 'differs_from_ledger'
  | 'broken_chain'
  | 'lacks_row'
  | 'not_as_signed';

/** Is called for each fault as soon as it is found. `id` is the id of the row or of the subject of a chain. */
type Tell = (fault: HistoryFault, id: string) => void;

const verifications = { name: 'verifications', place: uuidPlace };
const endpoints = { name: 'endpoints', place: uuidPlace };
const keys = { name: 'keys', place: uuidPlace };
const organisations = { name: 'organisations', place: uuidPlace };
const members = { name: 'members', place: uuidPlace };
const ledger = { name: 'ledger', place: uuidPlace };
const signed = { name: 'signed', place: uuidPlace };

/** The parts of the walk through the history. */
export const historyParts = [verifications, endpoints, keys, organisations, members, ledger, signed];

const rowsAtOnce = 2_000;

/**
 * Reads all verifications, endpoints, keys, organisations and members, compares each with its last line in the ledger, and computes the hashes of the whole ledger
 * again. Faults exist only if somebody edited rows. It changes nothing.
 */
export const inspectHistory = (
  { store, roots }: Pick<Context, 'store'> & { roots: RootFiles | undefined },
  tell: Tell,
  course: Course = {},
) =>
  walk(
    [
      verificationFaults(store, tell),
      differingRows(store, endpoints, endpointsWithHistoryOfAnyOrganisation, endpointAgrees, tell),
      differingRows(store, keys, keysWithHistory, keyAgrees, tell),
      differingRows(store, organisations, organisationsWithHistory, organisationAgrees, tell),
      memberFaults(store, tell),
      brokenChains(store, tell),
      ...(roots ? [chainsNotAsSigned(store, roots, tell)] : []),
    ],
    course,
  );

const verificationFaults = ({ db }: Context['store'], tell: Tell): Part =>
  partOf({
    ...verifications,
    rowsAtOnce,
    find: (after, limit) =>
      verificationsWithHistoryOfAnyOrganisation(db, String(after?.[0] ?? firstId), limit),
    keyOf: ({ id }) => [id],
    work(rows) {
      for (const row of rows) {
        if (row.lacksEvent) tell('completed_without_event', row.id);
        if (!verificationAgrees(row)) tell('differs_from_ledger', row.id);
      }
    },
  });

/** Finds the rows that are not what the last line of their chain says. */
const differingRows = <Row extends { id: string }>(
  { db }: Context['store'],
  part: Pick<Part, 'name' | 'place'>,
  find: (db: Db, after: string, limit: number) => Promise<Row[]>,
  agrees: (row: Row) => boolean,
  tell: Tell,
): Part =>
  partOf({
    ...part,
    rowsAtOnce,
    find: (after, limit) => find(db, String(after?.[0] ?? firstId), limit),
    keyOf: ({ id }) => [id],
    work(rows) {
      for (const row of rows) if (!agrees(row)) tell('differs_from_ledger', row.id);
    },
  });

/** Each row is an organisation with all its members, so a page has few. */
const memberFaults = ({ db }: Context['store'], tell: Tell): Part =>
  partOf({
    ...members,
    rowsAtOnce: 100,
    find: (after, limit) => membersWithHistoryOfAnyOrganisation(db, String(after?.[0] ?? firstId), limit),
    keyOf: ({ id }) => [id],
    work(rows) {
      for (const row of rows)
        for (const id of membersThatDiffer(row.members, row.lines)) tell('differs_from_ledger', id);
    },
  });

type Line = Awaited<ReturnType<typeof ledgerLinesOfAnyOrganisation>>[number];

/**
 * Finds the subjects whose row is gone, and those whose lines no longer form a chain, because a line was changed, removed or inserted. The end of a chain is
 * compared with the row of its subject. A walk that continues begins with the first line of its subject.
 */
function brokenChains({ db }: Context['store'], tell: Tell): Part {
  let last: Line | undefined;
  let told: string | undefined;
  return partOf({
    ...ledger,
    rowsAtOnce,
    find: ([subjectId = firstId, sequence = 0] = [], limit) =>
      ledgerLinesOfAnyOrganisation(db, { subjectId: String(subjectId), sequence: Number(sequence) }, limit),
    keyOf: ({ subjectId, sequence }) => [subjectId, sequence],
    placeOf: ({ subjectId }) => [subjectId],
    async work(lines) {
      const begun = lines.flatMap(({ subjectId, sequence }) => (sequence === 1 ? [subjectId] : []));
      for (const id of await withoutRowOfAnyOrganisation(db, begun)) tell('lacks_row', id);
      for (const line of lines) {
        if (!follows(line, last) && told !== line.subjectId) {
          told = line.subjectId;
          tell('broken_chain', line.subjectId);
        }
        last = line;
      }
    },
  });
}

/** Finds the chains that no longer have the line that they ended with when the ledger was last signed. */
const chainsNotAsSigned = ({ db }: Context['store'], roots: RootFiles, tell: Tell): Part => ({
  ...signed,
  async *pages([after = firstId] = []) {
    const newest = (await newestStatement(roots))?.statement;
    if (newest === undefined || !(await holdsItsHeads(roots, newest))) return;
    for await (const { lost, rows, last } of chainsNotKept(db, roots.heads(newest.day, String(after)))) {
      for (const id of lost) tell('not_as_signed', id);
      yield { rows, last: [last] };
    }
  },
});

/** `last` is the line before `line` in the result of the query. It may belong to another subject. */
function follows(line: Line, last: Line | undefined): boolean {
  const { subjectId, type, data, createdAt: at } = line;
  const before = last?.subjectId === subjectId ? last : undefined;
  if (before !== undefined && isRemoval(before)) return false;
  const removed = { sequence: line.sequence - 1, hash: line.previousHash };
  const previous = before ?? (isRemoval(line) ? removed : beginning);
  return (
    line.sequence === previous.sequence + 1 &&
    line.previousHash.equals(previous.hash) &&
    line.hash.equals(lineHash(previous, { subjectId, type, data, at }))
  );
}
