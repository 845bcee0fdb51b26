import type { Db } from './connection.ts';

export type StoredLine = { sequence: number; hash: Buffer };

/** The newest line of a subject's chain. Its writer holds a lock on the subject, so no other line comes between. */
export const lastLine = (db: Db, subjectId: string): Promise<StoredLine | undefined> =>
  db
    .selectFrom('ledger')
    .select(['sequence', 'hash'])
    .where('subjectId', '=', subjectId)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
