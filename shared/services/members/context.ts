import type { Context } from '../context.ts';

/** The parts that the verbs about members use. */
export type MemberContext = Pick<Context, 'store' | 'clock' | 'secrets'>;

/** The browser that signs in, as its session shows it later. */
export type Device = { userAgent: string; address: string };
