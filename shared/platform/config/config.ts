import { z } from 'zod';
import { type IncomeDocumentType, incomeDocumentTypes } from '#contract/enums.ts';
import { exitCodes, StartFault } from '../failures.ts';
import { expectations } from './config-expectations.ts';
import {
  type Cidr,
  cidr,
  count,
  databaseUrl,
  hostAndPort,
  keyOf32Bytes,
  list,
  origin,
  plainUrl,
  port,
  proxyCidr,
  publicUrl,
  redisUrl,
} from './config-fields.ts';

/** All variables of `.env.example`. An empty variable is treated as not set. */
export const ConfigSchema = z.object({
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: publicUrl.optional(),
  CONSOLE_PORT: z.union([z.literal('off'), port]).default(3001),
  CONSOLE_URL: publicUrl.refine((text) => new URL(text).pathname === '/').optional(),
  IDIN_SIMULATOR_PORT: z.union([z.literal('off'), port]).optional(),
  DATABASE_URL: databaseUrl.optional(),
  OWNER_DATABASE_URL: databaseUrl.optional(),
  HOUSEKEEPING_DATABASE_URL: databaseUrl.optional(),
  DATABASE_CONNECTIONS: count(5, 1_000).default(20),
  TEMPORAL_ADDRESS: hostAndPort.optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_UI_PORT: port.default(8233),
  TEMPORAL_UI_URL: plainUrl.optional(),
  TEMPORAL_TLS_CA: z.string().optional(),
  TEMPORAL_TLS_CERT: z.string().optional(),
  TEMPORAL_TLS_KEY: z.string().optional(),
  TEMPORAL_API_KEY: z.string().optional(),
  REDIS_URL: redisUrl.optional(),
  DATA_DIR: z.string().default('.data'),
  CACHE_DIR: z.string().optional(),
  SECRETS_KEY: list(keyOf32Bytes).optional(),
  LEDGER_KEY: list(keyOf32Bytes).optional(),
  LEDGER_DIR: z.string().optional(),
  INCOME_TRUSTED_CERTIFICATES: z.string().optional(),
  INCOME_SIGNED_DOCUMENTS: list(z.enum(incomeDocumentTypes)).optional(),
  WEBHOOK_ALLOW_ADDRESSES: list(cidr).optional(),
  WEBHOOK_ATTEMPTS: count(10, 10_000).default(200),
  WEBHOOK_ATTEMPTS_PER_ENDPOINT: count(1, 1_000).default(20),
  WEBHOOK_DELIVERIES_PER_MINUTE: count(1, 10_000_000).default(6_000),
  TRUST_PROXY: list(proxyCidr).optional(),
  MCP_ALLOWED_ORIGINS: list(origin).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  LOG_FORMAT: z.enum(['pretty', 'json']).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: z.union([z.literal('off'), port]).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: plainUrl.optional(),
});

export type Config = {
  port: number;
  host: string;
  /** The start of every link to the hosted flow, without a final slash. */
  publicUrl: string;
  /** For `npm start`. Undefined: the usual port, or a free one. */
  idinSimulatorPort: number | 'off' | undefined;
  databaseUrl: string | undefined;
  /** The database for the role that owns the tables. */
  ownerDatabaseUrl: string | undefined;
  /** The database for the role that purges. */
  housekeepingDatabaseUrl: string | undefined;
  /** Of one API or worker, without the two with which a worker purges. */
  databaseConnections: number;
  temporal: TemporalConfig;
  temporalUiPort: number;
  /** Where people open Temporal's UI. Undefined: the console has no links to it, except with `npm start`. */
  temporalUiUrl: string | undefined;
  redisUrl: string | undefined;
  dataDir: string;
  cacheDir: string | undefined;
  /** Keys of 32 bytes each, newest first. */
  secretsKeys: readonly Buffer[] | undefined;
  ledger: LedgerConfig | undefined;
  income: IncomeConfig;
  webhookAllowAddresses: readonly Cidr[];
  /** How much one worker sends (`shared/services/attempts/turns.ts`). */
  turns: { attempts: number; perEndpoint: number; deliveriesPerMinute: number };
  trustProxy: readonly Cidr[];
  mcpAllowedOrigins: readonly string[];
  /** Undefined: this process serves no console. `url` has no final slash. */
  console: { port: number; url: string } | undefined;
  logLevel: string;
  logFormat: 'pretty' | 'json';
  /** The address of `/metrics`. If the port is undefined, the process uses its default port. */
  metrics: { host: string; port: number | 'off' | undefined };
  otlpEndpoint: string | undefined;
};

/** The keys that sign the ends of the ledger, newest first, and the folder of the signed roots. */
export type LedgerConfig = { keys: readonly Buffer[]; dir: string };

/** A PEM file of the authorities whose signatures on documents of an income are trusted, and the documents that always have one. */
export type IncomeConfig = {
  certificatesFile?: string | undefined;
  signedTypes: readonly IncomeDocumentType[];
};

export type TemporalConfig = {
  address: string | undefined;
  namespace: string;
  /** Paths of PEM files. */
  tls: { ca?: string; cert?: string; key?: string } | undefined;
  apiKey: string | undefined;
};

/**
 * Reads the configuration from environment variables. If variables are faulty, throws a StartFault with one
 * line per fault and exit code 78. A line never repeats the value, since the value may be a secret.
 */
export function readConfig(env: Record<string, string | undefined>, onTerminal = false): Config {
  const given = Object.fromEntries(
    Object.keys(ConfigSchema.shape).flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  );
  const parsed = ConfigSchema.safeParse(given);
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    throw new StartFault(
      'NODE_TLS_REJECT_UNAUTHORIZED is 0: nothing would be verified. Name your authority in NODE_EXTRA_CA_CERTS.',
      exitCodes.config,
    );
  if (!parsed.success) throw new StartFault(parsed.error.issues.map(lineOf).join('\n'), exitCodes.config);
  const read = parsed.data;
  return {
    port: read.PORT,
    host: read.HOST,
    publicUrl: read.PUBLIC_URL ?? `http://localhost:${read.PORT}`,
    idinSimulatorPort: read.IDIN_SIMULATOR_PORT,
    databaseUrl: read.DATABASE_URL,
    ownerDatabaseUrl: read.OWNER_DATABASE_URL,
    housekeepingDatabaseUrl: read.HOUSEKEEPING_DATABASE_URL,
    databaseConnections: read.DATABASE_CONNECTIONS,
    temporal: {
      address: read.TEMPORAL_ADDRESS,
      namespace: read.TEMPORAL_NAMESPACE,
      tls: tlsOf(read),
      apiKey: read.TEMPORAL_API_KEY,
    },
    temporalUiPort: read.TEMPORAL_UI_PORT,
    temporalUiUrl: read.TEMPORAL_UI_URL,
    redisUrl: read.REDIS_URL,
    dataDir: read.DATA_DIR,
    cacheDir: read.CACHE_DIR,
    secretsKeys: read.SECRETS_KEY,
    ledger: ledgerOf(read),
    income: incomeOf(read),
    webhookAllowAddresses: read.WEBHOOK_ALLOW_ADDRESSES ?? [],
    turns: {
      attempts: read.WEBHOOK_ATTEMPTS,
      perEndpoint: read.WEBHOOK_ATTEMPTS_PER_ENDPOINT,
      deliveriesPerMinute: read.WEBHOOK_DELIVERIES_PER_MINUTE,
    },
    trustProxy: read.TRUST_PROXY ?? [],
    mcpAllowedOrigins: read.MCP_ALLOWED_ORIGINS ?? [],
    console: consoleOf(read),
    logLevel: read.LOG_LEVEL,
    logFormat: read.LOG_FORMAT ?? (onTerminal ? 'pretty' : 'json'),
    metrics: { host: read.METRICS_HOST, port: read.METRICS_PORT },
    otlpEndpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT,
  };
}

function ledgerOf({ LEDGER_KEY: keys, LEDGER_DIR: dir }: z.output<typeof ConfigSchema>): Config['ledger'] {
  if (keys !== undefined && dir !== undefined) return { keys, dir };
  if (keys === undefined && dir === undefined) return undefined;
  throw new StartFault('LEDGER_KEY and LEDGER_DIR belong together: set both or neither.', exitCodes.config);
}

function incomeOf(read: z.output<typeof ConfigSchema>): IncomeConfig {
  const { INCOME_TRUSTED_CERTIFICATES: certificatesFile, INCOME_SIGNED_DOCUMENTS: signedTypes = [] } = read;
  if (signedTypes.length > 0 && certificatesFile === undefined)
    throw new StartFault(
      'INCOME_SIGNED_DOCUMENTS needs INCOME_TRUSTED_CERTIFICATES: without it no signature can be trusted.',
      exitCodes.config,
    );
  return { certificatesFile, signedTypes };
}

const consoleOf = ({
  CONSOLE_PORT: at,
  CONSOLE_URL: url,
}: z.output<typeof ConfigSchema>): Config['console'] =>
  at === 'off' ? undefined : { port: at, url: url ?? `http://localhost:${at}` };

function tlsOf(read: z.output<typeof ConfigSchema>): TemporalConfig['tls'] {
  const { TEMPORAL_TLS_CA: ca, TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key } = read;
  if (!ca && !cert && !key) return undefined;
  if (Boolean(cert) !== Boolean(key))
    throw new StartFault(
      'TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY belong together: set both or neither.',
      exitCodes.config,
    );
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

function lineOf(issue: z.core.$ZodIssue): string {
  const name = String(issue.path[0]);
  return `${name} ${expectations[name] ?? issue.message}.`;
}

/**
 * Returns the settings of a process that does not start its own Postgres and Temporal. If one of the settings is missing, throws a
 * StartFault with exit code 78.
 */
export function requireExternal(config: Config): {
  databaseUrl: string;
  temporalAddress: string;
  secretsKeys: readonly Buffer[];
} {
  const { databaseUrl, secretsKeys } = config;
  const temporalAddress = config.temporal.address;
  const missing = [
    databaseUrl === undefined && 'DATABASE_URL is not set: this process needs a Postgres of yours.',
    temporalAddress === undefined &&
      'TEMPORAL_ADDRESS is not set: this process needs a Temporal server of yours.',
    secretsKeys === undefined && 'SECRETS_KEY is not set: give 32 random bytes in base64.',
  ].filter((line) => line !== false);
  if (databaseUrl === undefined || temporalAddress === undefined || secretsKeys === undefined)
    throw new StartFault(
      [...missing, '`npm start` runs everything on one machine without these.'].join('\n'),
      exitCodes.config,
    );
  return { databaseUrl, temporalAddress, secretsKeys };
}
