import { timeOfPublicId } from '#platform/crypto/crypto.ts';
import { keptSince } from '#policy/retention.ts';
import { type LoggedRequest, type LogPlace, loggedRequestsOf } from '#store/request-log-search.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { type LookedBack, lookBack } from '../portions/look-back.ts';

export type { LoggedRequest };

/** `path` is a part of the pattern of the route. `statusClass` is 2, 4 or 5. */
export type WantedRequests = {
  requestId?: string | undefined;
  keyId?: string | undefined;
  path?: string | undefined;
  statusClass?: number | undefined;
};

const maxId = '9223372036854775807';
/** The id of a request says when it arrived, to the clock of its machine. */
const aroundMs = 60_000;

/** The requests of an organisation that match, newest first, before the place `after`. */
export async function searchRequests(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  caller: Caller,
  { limit, after, ...wanted }: WantedRequests & { limit: number; after: string | undefined },
): Promise<LookedBack<LoggedRequest>> {
  assertMay(caller, 'requests.see');
  const span = spanOf(wanted, clock.now());
  if (span === undefined) return { data: [], next: null, lookedBackTo: null };
  const log = loggedRequestsOf(caller.scope, store.db);
  return lookBack({
    ...{ limit, wanted, textOf, from: placeIn(after) ?? span.newest },
    before: (place, count) => log.before({ place, from: span.from, limit: count }),
    placeOf: ({ createdAt: at, id }) => ({ at, id }),
    itemOf: (line) => (fits(line, wanted) ? line : undefined),
  });
}

/** The part of the log to look at. Undefined if the id is none of ours. */
function spanOf({ requestId }: WantedRequests, now: Date): { newest: LogPlace; from: Date } | undefined {
  if (requestId === undefined) return { newest: { at: now, id: maxId }, from: keptSince('request_log', now) };
  const at = timeOfPublicId(requestId)?.getTime();
  if (at === undefined) return undefined;
  return { newest: { at: new Date(at + aroundMs), id: maxId }, from: new Date(at - aroundMs) };
}

const fits = (line: LoggedRequest, { requestId, keyId, path, statusClass }: WantedRequests): boolean =>
  (requestId === undefined || line.requestId === requestId) &&
  (keyId === undefined || line.keyId === keyId) &&
  (path === undefined || line.path.includes(path)) &&
  (statusClass === undefined || Math.floor(line.status / 100) === statusClass);

const textOf = ({ at, id }: LogPlace): string => `${at.getTime()}-${id}`;

/** Undefined if the text is no place. */
function placeIn(text: string | undefined): LogPlace | undefined {
  const [, ms = '', id = ''] = /^(\d{1,14})-(\d{1,18})$/.exec(text ?? '') ?? [];
  return ms === '' ? undefined : { at: new Date(Number(ms)), id };
}
