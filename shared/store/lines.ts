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

class Line {
  readonly #newClient: () => LineClient;
  #client: LineClient | undefined;
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

  async read(text: string, values: unknown[]): Promise<unknown[]> {
    if (this.#client === undefined) throw new Error('the line is not open');
    if (this.#waiting++ === 0) this.#movedAt = performance.now();
    try {
      return (await this.#client.query(text, values)).rows;
    } finally {
      this.#waiting--;
      this.#movedAt = performance.now();
    }
  }

  async #open(now: number): Promise<void> {
    if (this.#isClosed || now - this.#openedAt < reopenMs) return;
    this.#openedAt = now;
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
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end();
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
      const line = freest();
      if (line === undefined) return pool.executeQuery(query as CompiledQuery<Row>);
      try {
        return { rows: (await line.read(query.sql, [...query.parameters])) as Row[] };
      } catch (error) {
        if (!isLost(error)) throw error;
        return pool.executeQuery(query as CompiledQuery<Row>);
      }
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
 * True if the connection ended before the answer, so that the read can be made again. It ends if an earlier read gets no answer in time. That
 * read itself is not made again.
 */
const isLost = (error: unknown): boolean =>
  !(error instanceof Error) ||
  (error.message !== 'Query read timeout' && (!('severity' in error) || error.severity === 'FATAL'));

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
