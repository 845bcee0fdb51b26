import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';

/**
 * Lines: connections for single reads, each of which takes the next query before the last one is answered (docs/choices/lines.md). A read
 * that a line cannot take, or loses, goes through the pool.
 */

/** A client of the driver that sends queries without waiting for the answers to earlier ones. */
export type LineClient = {
  connect(): Promise<unknown>;
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
  on(event: 'end', handle: () => void): unknown;
  end(): Promise<void>;
};

/** Beyond this number of reads on each line, the pool is faster. */
const waitingMax = 50;

/** A line whose next answer takes longer takes no further reads until it comes. */
const heldUpMs = 100;

/** A line that could not be opened, or was lost, is opened again after this time at the earliest. */
const reopenMs = 1_000;

/** A server that hangs does not end a connection, so nobody waits for it longer. The reads of a line have their answers by then. */
const closeMsMax = 3_500;

class Line {
  readonly #newClient: () => LineClient;
  #client: LineClient | undefined;
  #isOpening = false;
  #isClosed = false;
  #openedAt = Number.NEGATIVE_INFINITY;
  #waiting = 0;
  /** The time of the last answer, or of the first read since the line was idle. */
  #movedAt = 0;

  constructor(newClient: () => LineClient) {
    this.#newClient = newClient;
  }

  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Says whether the line takes a read now. A line that is not open is opened meanwhile. */
  takes(now: number): boolean {
    if (this.#client === undefined) {
      void this.#open(now);
      return false;
    }
    return this.#waiting === 0 || (this.#waiting < waitingMax && now - this.#movedAt < heldUpMs);
  }

  /** Resolves with the rows, or with undefined if the line lost the read, which can then be made again. */
  async read(text: string, values: unknown[]): Promise<unknown[] | undefined> {
    const client = this.#client;
    if (client === undefined) return undefined;
    if (this.#waiting++ === 0) this.#movedAt = performance.now();
    try {
      return (await client.query(text, values)).rows;
    } catch (error) {
      if (this.#isLost(error, client)) return undefined;
      throw error;
    } finally {
      this.#waiting--;
      this.#movedAt = performance.now();
    }
  }

  /**
   * If a read gets no answer in time, the driver ends the line. The first such read is the slow one. The others were behind it, so they are
   * lost with the line.
   */
  #isLost(error: unknown, client: LineClient): boolean {
    if (!(error instanceof Error) || error.message !== 'Query read timeout') return isOfLine(error);
    const isFirst = this.#client === client;
    if (isFirst) this.#client = undefined;
    return !isFirst;
  }

  async #open(now: number): Promise<void> {
    if (this.#isClosed || this.#isOpening || now - this.#openedAt < reopenMs) return;
    this.#openedAt = now;
    this.#isOpening = true;
    try {
      const client = this.#newClient();
      client.on('end', () => {
        if (this.#client === client) this.#client = undefined;
      });
      await client.connect();
      if (this.#isClosed) await client.end();
      else this.#client = client;
    } catch {
      // The pool takes the reads, and says what is wrong.
    } finally {
      this.#isOpening = false;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.race([this.#client?.end(), pause(closeMsMax, undefined, { ref: false })]);
  }
}

/** `pool` executes what no line takes. */
export function openLines(
  count: number,
  newClient: () => LineClient,
  pool: { executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> },
) {
  const lines = Array.from({ length: count }, () => new Line(newClient));
  const freest = (): Line | undefined => {
    const now = performance.now();
    const open = lines.filter((line) => line.takes(now));
    return open.reduce<Line | undefined>(
      (best, line) => (best === undefined || line.waiting < best.waiting ? line : best),
      undefined,
    );
  };
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const rows = await freest()?.read(query.sql, [...query.parameters]);
      return rows === undefined ? pool.executeQuery(query as CompiledQuery<Row>) : { rows: rows as Row[] };
    },
    streamQuery: () => {
      throw new Error('a line reads no streams');
    },
  };
  return {
    db: new Kysely<unknown>({
      dialect: {
        createDriver: () => driverOf(connection),
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      },
    }),
    connections: () => ({
      used: lines.filter(({ waiting }) => waiting > 0).length,
      idle: lines.filter(({ isOpen, waiting }) => isOpen && waiting === 0).length,
    }),
    close: async () => void (await Promise.all(lines.map((line) => line.close()))),
  };
}

/**
 * SQLSTATEs that say nothing of the read itself: the server ends the connection, or a statement that an earlier read of the line should have
 * prepared is not, or is twice.
 */
const statesOfLine = /^(08|57P0|26000|42P05)/;

/** True if the error is that of the line. The errors of the driver have no SQLSTATE. */
const isOfLine = (error: unknown): boolean =>
  !(error instanceof Error) ||
  !('severity' in error && 'code' in error) ||
  statesOfLine.test(String(error.code));

function driverOf(connection: DatabaseConnection): Driver {
  const never = async () => {
    throw new Error('a line has no transactions');
  };
  const nothing = async () => undefined;
  return {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: never,
    commitTransaction: never,
    rollbackTransaction: never,
    releaseConnection: nothing,
    destroy: nothing,
  };
}
