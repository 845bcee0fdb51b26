import pg from 'pg';
import type { CrashPoint } from './points.ts';
import { arriveAt } from './trap.ts';

/** A transaction or a single statement, known by the text of its statement, and the points around it. */
export type Moment = { statement: RegExp; before?: CrashPoint; during?: CrashPoint; after?: CrashPoint };

type Query = (this: object, ...args: unknown[]) => Promise<unknown>;

/**
 * Watches the statements of this process in the driver of the database, so that changes to the product do not move the points.
 * Before: nothing is written yet. During: written and not committed, or sent and not answered. After: committed.
 */
export function diesByStatement(moments: Record<string, Moment>): void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  /** The moments whose statements an open transaction has seen. */
  const open = new WeakMap<object, Set<Moment>>();

  prototype.query = async function (this: object, ...args) {
    const text = textOf(args[0]);
    if (/^(begin|start transaction)/i.test(text)) open.set(this, new Set());
    const inside = open.get(this);
    const moment = Object.values(moments).find(({ statement }) => statement.test(text));
    if (moment?.before) arriveAt(moment.before);
    if (inside) {
      if (moment) inside.add(moment);
      return endOf(this, text, () => query.apply(this, args));
    }
    const answer = query.apply(this, args);
    if (moment?.during) dieOnceSent(moment.during);
    await answer;
    if (moment?.after) arriveAt(moment.after);
    return answer;
  };

  const endOf = async (client: object, text: string, run: () => Promise<unknown>) => {
    const isCommit = /^commit/i.test(text);
    const committed = isCommit ? [...(open.get(client) ?? [])] : [];
    arriveAtEach(committed.map(({ during }) => during));
    const answer = await run();
    arriveAtEach(committed.map(({ after }) => after));
    if (isCommit || /^rollback/i.test(text)) open.delete(client);
    return answer;
  };
}

const arriveAtEach = (points: (CrashPoint | undefined)[]): void => {
  for (const point of points) if (point) arriveAt(point);
};

/** When `setImmediate` calls back, the driver has written the statement to the socket. */
const dieOnceSent = (point: CrashPoint) => setImmediate(() => arriveAt(point));

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : String((query as { text?: unknown } | null)?.text ?? '');
