import type { Client } from '@temporalio/client';
import { Unavailable } from '../failures.ts';

/** Makes calls to Temporal until `deadlineAt`, in milliseconds since 1970. If they fail, throws `Unavailable`. */
export const before = <T>(client: Client, deadlineAt: number, call: () => Promise<T>): Promise<T> =>
  client.withDeadline(deadlineAt, call).catch((error: unknown) => {
    throw new Unavailable('temporal', error);
  });
