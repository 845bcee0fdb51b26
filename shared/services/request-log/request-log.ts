import { type BatchWriter, createBatchWriter } from '#platform/batch-writer.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Store } from '#store/connection.ts';
import { type RequestLogLine, writeRequestLog } from '#store/request-log.ts';

/** Where the doors note each authenticated request, and with it the last use of its key. */
export type RequestLog = BatchWriter<RequestLogLine>;

/** Written off the request's path: neither a slow database nor a dead one delays an answer, or fills the memory. */
export const createRequestLog = ({ store, clock }: { store: Store; clock: Clock }, log: Log): RequestLog =>
  createBatchWriter({
    write: (lines) => writeRequestLog(store.db, lines),
    report: (lost, fault) => log.warn({ lost, err: fault }, 'request log: lines were given up'),
    clock,
  });
