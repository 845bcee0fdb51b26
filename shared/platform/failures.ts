import { Problem } from '#contract/errors.ts';

/** sysexits(3) codes that a start can end with. */
export const exitCodes = { usage: 64, unavailable: 69, cannotCreate: 73, config: 78 } as const;

/** Why a process cannot start: one plain line that says what to do, and the code it exits with. */
export class StartFault extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.unavailable) {
    super(message);
    this.name = 'StartFault';
    this.exitCode = exitCode;
  }
}

/** Postgres or Temporal did not answer in time or at all: the caller may try again. */
export class Unavailable extends Error {
  readonly what: 'database' | 'temporal';

  constructor(what: 'database' | 'temporal', cause?: unknown) {
    super(`${what} is unavailable`, { cause });
    this.name = 'Unavailable';
    this.what = what;
  }
}

/** What may be known of an error outside the process that met it: never its message, which can quote a row (decision 38). */
export type FaultCode = 'database_unavailable' | 'database_error' | 'temporal_unavailable' | 'internal_error';

/** Classes of SQLSTATE that mean "not now" rather than "not so": connection, resources, operator intervention, system. */
const sqlState = /^[0-9A-Z]{5}$/;
const passingSqlState = /^(08|53|57|58|40|55P03|25006|25P0[123])/;
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const lostConnection =
  /connection terminated|timeout exceeded when trying to connect|connection timeout|query read timeout|client has encountered a connection error/i;

export function faultCodeOf(error: unknown): FaultCode {
  for (const cause of causesOf(error)) {
    const code = codeOfCause(cause);
    if (code !== undefined) return code;
  }
  return 'internal_error';
}

function codeOfCause(cause: Error): FaultCode | undefined {
  if (cause instanceof Unavailable)
    return cause.what === 'temporal' ? 'temporal_unavailable' : 'database_unavailable';
  const { code } = cause as { code?: unknown };
  if (typeof code === 'string' && socketCodes.has(code)) return 'database_unavailable';
  if (typeof code === 'string' && sqlState.test(code))
    return passingSqlState.test(code) ? 'database_unavailable' : 'database_error';
  return lostConnection.test(cause.message) ? 'database_unavailable' : undefined;
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (
    let at = error;
    at instanceof Error && causes.length < 8;
    at = at.cause ?? (at as { previous?: unknown }).previous
  )
    causes.push(at);
  return causes;
}

/** An error as a log may hold it: class, codes and places, without any message, since database errors quote rows. */
export function describeFault(error: unknown) {
  return causesOf(error).map((cause) => ({
    name: cause.constructor.name,
    code: (cause as { code?: unknown }).code,
    constraint: (cause as { constraint?: unknown }).constraint,
    at: placesOf(cause),
  }));
}

/** The frames of the stack alone: a line of a message can look like one. */
function placesOf({ stack = '', message }: Error): string[] {
  return stack
    .replaceAll(message || /$^/g, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 6)
    .map((line) => line.trim());
}

/** What the caller of an interface is told about any error. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const code = faultCodeOf(error);
  return new Problem(
    code === 'database_unavailable' || code === 'temporal_unavailable'
      ? 'service_unavailable'
      : 'internal_error',
  );
}
