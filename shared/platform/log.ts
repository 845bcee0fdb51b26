import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { loopbackHosts } from '#contract/limits.ts';
import type { Config } from './config/config.ts';
import { describeFault } from './failures.ts';

export type Log = Logger;

/**
 * Creates a log that records errors without their messages (see `describeFault`). The fields `authorization`, `secret` and `key`
 * are removed, even from nested objects. JSON lines are written to `to`. If `to` is absent, JSON lines are written to standard
 * output.
 */
export function createLog(
  options: { level: string; format: 'pretty' | 'json' },
  to?: DestinationStream,
): Log {
  const settings = {
    level: options.level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: describeFault },
    formatters: { log: withoutSecrets },
  };
  if (options.format === 'json') return pino(settings, to);
  return pino(
    settings,
    pretty({
      colorize: process.stdout.isTTY,
      ignore: 'pid,hostname,method,route,status',
      translateTime: 'HH:MM:ss',
      singleLine: true,
    }),
  );
}

const secretFields = new Set(['authorization', 'secret', 'key']);

/** This function replaces pino's `redact`, because `redact` takes twice as long as all other work for a log line. */
function withoutSecrets(fields: Fields): Fields {
  for (const name in fields) if (secretFields.has(name) || isFields(fields[name])) return cutOut(fields);
  return fields;
}

function cutOut(fields: Fields): Fields {
  const kept: Fields = {};
  for (const name in fields)
    if (!secretFields.has(name)) {
      const value = fields[name];
      kept[name] = isFields(value) ? cutOut(value) : value;
    }
  return kept;
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** Over http, whoever is on the way reads passwords and takes over sessions. On this machine there is no way. */
export function warnOfPlainConsole({ console }: Pick<Config, 'console'>, log: Pick<Log, 'warn'>): void {
  const { protocol = '', hostname = '' } = console === undefined ? {} : new URL(console.url);
  if (protocol !== 'http:' || loopbackHosts.includes(hostname)) return;
  log.warn(
    'CONSOLE_URL is http: passwords and sessions of members can be read on the way, and their cookie is not Secure; put a proxy with TLS in front of CONSOLE_PORT, and set CONSOLE_URL to its https address',
  );
}

/** Warns at every start, so that nobody overlooks a setting that is intended for tests. */
export function warnOfAllowedAddresses(config: Pick<Config, 'webhookAllowAddresses'>, log: Log): void {
  if (config.webhookAllowAddresses.length > 0)
    log.warn(
      'WEBHOOK_ALLOW_ADDRESSES is set: webhooks may reach private addresses; for development and tests only',
    );
}
