import { Problem } from '#contract/errors.ts';

/** Exit codes of a process that could not start, as defined by sysexits(3). */
export const exitCodes = { usage: 64, unavailable: 69, cannotCreate: 73, config: 78 } as const;

/** Thrown if a process cannot start, or if a command cannot do its work. The operator gets the message, in plain words. */
export class StartFault extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.unavailable) {
    super(message);
    this.name = 'StartFault';
    this.exitCode = exitCode;
  }
}

/** Thrown if Postgres or Temporal gives no usable answer in time. The caller may try again. */
export class Unavailable extends Error {
  readonly what: 'database' | 'temporal';

  constructor(what: 'database' | 'temporal', cause?: unknown) {
    super(`${what} is unavailable`, { cause });
    this.name = 'Unavailable';
    this.what = what;
  }
}

/** A code that describes an error. Temporal receives only the code, since the message of an error can quote a row (decision 38). */
export type FaultCode = 'database_unavailable' | 'database_error' | 'temporal_unavailable' | 'internal_error';

const sqlState = /^[0-9A-Z]{5}$/;
/** SQLSTATE codes of temporary failures, such as a lost connection, too few resources or a shutdown. A retry can succeed. */
const temporarySqlState = /^(08|53|57|58|40|55P03|25006|25P0[123])/;
/**
 * Postgres gives no new transaction id before an operator or autovacuum has frozen old rows. The code is 54000, as for an index entry that is
 * too long, which no retry mends. So the function that raised the error tells them apart.
 */
const givesNoId = /^GetNew(TransactionId|MultiXactId)$/;
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
  const { code, routine } = cause as { code?: unknown; routine?: unknown };
  if (typeof code === 'string' && socketCodes.has(code)) return 'database_unavailable';
  if (code === '54000' && typeof routine === 'string' && givesNoId.test(routine))
    return 'database_unavailable';
  if (typeof code === 'string' && sqlState.test(code))
    return temporarySqlState.test(code) ? 'database_unavailable' : 'database_error';
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

/**
 * Describes an error for the log by its class, its codes and its stack frames. Messages are left out, since database errors quote
 * rows.
 */
export function describeFault(error: unknown) {
  return causesOf(error).map((cause) => ({
    name: cause.constructor.name,
    code: (cause as { code?: unknown }).code,
    constraint: (cause as { constraint?: unknown }).constraint,
    at: framesOf(cause),
  }));
}

/** The message is removed from the stack first, because one of its lines could look like a stack frame. */
function framesOf({ stack = '', message }: Error): string[] {
  return stack
    .replaceAll(message || /$^/g, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 6)
    .map((line) => line.trim());
}

/** Converts an error to the answer of the API. A `Problem` is returned unchanged. Every other error becomes a 503 or a 500. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const code = faultCodeOf(error);
  return new Problem(
    code === 'database_unavailable' || code === 'temporal_unavailable'
      ? 'service_unavailable'
      : 'internal_error',
  );
}
