import type { Turn } from '#platform/sign-in/password-turns.ts';
import type { Context } from '../context.ts';

/** The parts that the verbs about members use. `deadlineAt`: the time of the answer, after which no slow hash begins. */
export type MemberContext = Pick<Context, 'store' | 'clock' | 'secrets' | 'passwordCost'> &
  Pick<Turn, 'deadlineAt'>;

/** The browser that signs in, as its session shows it later. */
export type Device = { userAgent: string; address: string };
