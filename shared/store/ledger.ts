import type { Db } from './connection.ts';
import type { Write } from './statements.ts';

export type StoredLine = { sequence: number; hash: Buffer };

/** The newest line of a subject's chain. The caller holds a lock on the subject, so that nobody else adds a line meanwhile. */
export const lastLine = (db: Db, subjectId: string): Promise<StoredLine | undefined> =>
  db
    .selectFrom('ledger')
    .select(['sequence', 'hash'])
    .where('subjectId', '=', subjectId)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();

type NewLine = StoredLine & {
  subjectId: string;
  orgId: string;
  type: string;
  data: Record<string, unknown>;
  previousHash: Buffer;
  personal: Buffer | null;
  createdAt: Date;
};

export const lineWrite = (db: Db, line: NewLine): Write => db.insertInto('ledger').values(line);
