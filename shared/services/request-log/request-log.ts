import { type BatchWriter, createBatchWriter } from '#platform/batch-writer.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Store } from '#store/database/connection.ts';
import { type RequestLogLine, writeRequestLog } from '#store/request-log.ts';

/** Receives one line for each authenticated request. The line also records the last use of the key. */
export type RequestLog = BatchWriter<RequestLogLine>;

/**
 * Lines are written in batches after the answer. If too many lines wait, some are dropped, so a slow database never delays an
 * answer.
 */
export const createRequestLog = ({ store, clock }: { store: Store; clock: Clock }, log: Log): RequestLog =>
  createBatchWriter({
    write: (lines) => writeRequestLog(store.db, lines),
    report: (lost, fault) => log.warn({ lost, err: fault }, 'request log: lines were given up'),
    clock,
  });
