import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { DestinationStream } from 'pino';
import { request } from 'undici';
import { expect, inject } from 'vitest';
import { contractTrials } from '#activities/eid/try-contract.ts';
import type { Engines } from '#activities/index.ts';
import { startConsole } from '#api/console/server.ts';
import type { ConnectionLimits } from '#api/http-server.ts';
import { startApi } from '#api/server.ts';
import type { Environment, Grant } from '#contract/enums.ts';
import { grants as allGrants } from '#contract/enums.ts';
import { ErrorBody } from '#contract/error-body.ts';
import { errors } from '#contract/errors.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import type { RootFiles } from '#platform/crypto/root-files.ts';
import type { Program } from '#platform/isolated/program.ts';
import type { Counting } from '#platform/limits/rate-limits.ts';
import type { createLog } from '#platform/log.ts';
import { createSender } from '#platform/outbound/http.ts';
import { createPictureDecoder, type PictureDecoder } from '#platform/pictures/decoders.ts';
import { type Instruments, noInstruments } from '#platform/telemetry/instruments.ts';
import type { TemporalClient } from '#platform/temporal/client.ts';
import { createCodec } from '#platform/temporal/codec.ts';
import { lazyConnection } from '#platform/temporal/connection.ts';
import type { OrganisationSettings } from '#policy/organisation-settings.ts';
import { retryWaitsMs as productionWaitsMs } from '#policy/retry-schedule.ts';
import type { TurnLimits } from '#services/attempts/turns.ts';
import { changeLogo } from '#services/organisations/change-logo.ts';
import { openParts, type PartsOptions } from '#services/parts.ts';
import type { WorkflowBuild } from '#worker/bundle.ts';
import { startEngines } from '#worker/process/engines.ts';
import { installRuntime } from '#worker/process/runtime.ts';
import { type RunningWorker, startWorker } from '#worker/worker.ts';
import { atTheEnd, onceAFile } from './at-the-end.ts';
import { expectDescribed } from './documents/described.ts';
import { noOpinion } from './examiners/no-opinion.ts';
import { quickComparer } from './examiners/quick-comparer.ts';
import { quickMasker } from './examiners/quick-masker.ts';
import { quickMeasurer } from './examiners/quick-measurer.ts';
import { operatorAt, settle } from './people/as-operator.ts';
import { makeKey } from './rows/keys.ts';
import { rowsIn, superuserOf } from './rows/rows.ts';
import { collectedLog, plant, plantPrivateParts, thisProcess } from './run-logs.ts';
import { createDatabase } from './servers/database.ts';

installRuntime(collectedLog('temporal-sdk', undefined, thisProcess));

const secretsKey = Buffer.alloc(32, 7);
const publicUrl = 'https://verify.partner-test.example';
const namespace = 'default';
const loopback = { address: '127.0.0.0', prefixLength: 8 };
/** The default rate limit of a key. It is so high that a test does not reach it by accident. */
const manyRequests = 100_000;

/** For a test whose reader of documents is its own. */
const quickOnes = { faces: quickComparer, liveness: quickMeasurer, masker: quickMasker };

/** A hash takes a millisecond instead of half a second. */
const quickPasswords = { N: 2 ** 8, r: 8, p: 1 };

/**
 * Own engines replace those of the product. Who brings an own reader of documents has quick maskers and comparers, and nobody's looker
 * has an opinion, so that a test that is not about it walks on. Without `simulator`, sandbox has its example bank.
 */
type Options = Partial<Engines & Pick<PartsOptions, 'simulator'>> & {
  /** False if no answer in the test needs a workflow. */
  worker?: boolean;
  retryWaitsMs?: readonly number[];
  /** Limits on the attempts that the worker makes at once. */
  turns?: TurnLimits;
  log?: ReturnType<typeof createLog>;
  /** A second target of the log, for a test that reads it. */
  logTo?: DestinationStream;
  /** Replaces the usual way to count. By default limits count in memory and by the minute. */
  rateLimits?: Partial<Counting>;
  /** If true, X-Forwarded-For counts, so that a test can call from many addresses. */
  trustProxy?: boolean;
  /** Origins whose pages may call the agent interface. */
  mcpAllowedOrigins?: readonly string[];
  /** A Temporal server for this test alone. It is for code that lists all workflows of a server. */
  temporalAddress?: string;
  /** If true, the worker creates or corrects the hourly schedule of housekeeping, whose runs purge old rows. */
  housekeeping?: boolean;
  /** Where the worker keeps the signed ends of the ledger. By default it signs nothing. */
  roots?: RootFiles;
  /** Replaces parts of the program that decodes pictures, for a test of its failures. */
  decoderProgram?: Partial<Program>;
  /** Records metrics. By default nothing is recorded. */
  instruments?: Instruments;
};

type KeyOptions = {
  org?: string;
  environment?: Environment;
  grants?: Grant[];
  rateLimit?: number | null;
  expiresAt?: Date;
};

export type Harness = Awaited<ReturnType<typeof startHarness>>;

type OwnConsole = {
  url?: string;
  /** If false, X-Forwarded-For does not count. */
  trustProxy?: boolean;
  rateLimits?: object;
  workflowsUrl?: string;
  clock?: Clock;
  temporal?: TemporalClient;
  mayUseLoopback?: boolean;
  connections?: ConnectionLimits;
  /** For how long a reviewer can take a decision back. 0 by default. */
  reviewHeldMs?: number;
};

/**
 * Starts the product's own parts on real servers: API, worker, and the harness's own database and queues. They stop after the last
 * test of the file.
 */
export async function startHarness({
  worker: withWorker = true,
  retryWaitsMs = productionWaitsMs,
  turns = { attempts: 200, perEndpoint: 20 },
  logTo,
  log = collectedLog('harness', logTo),
  rateLimits: countedBy,
  trustProxy = false,
  mcpAllowedOrigins = [],
  temporalAddress = inject('temporalAddress'),
  housekeeping = false,
  roots,
  simulator,
  decoderProgram = {},
  instruments = noInstruments,
  ...ownEngines
}: Options = {}) {
  for (const spelling of ['base64', 'base64url', 'hex'] as const) plant(secretsKey.toString(spelling));
  const { name, url: databaseUrl, roleUrls } = await createDatabase({ migrated: true });
  const superuser = superuserOf(databaseUrl);
  atTheEnd(superuser.close);
  const temporal = { address: temporalAddress, namespace, tls: undefined, apiKey: undefined };
  const apiConnection = await lazyConnection(temporal, temporalAddress);
  const shared = await openParts({
    config: { databaseConnections: 20, publicUrl, temporal, webhookAllowAddresses: [loopback] },
    ...{ log, telemetry: { instruments, traced: false, stop: async () => undefined }, simulator, lines: 2 },
    database: { url: roleUrls.app, housekeepingUrl: roleUrls.housekeeping, secretsKeys: [secretsKey] },
    connections: [apiConnection],
    startClock: async () => ({ ...systemClock, stop: () => undefined }),
  });
  atTheEnd(shared.close);
  const { isolated, housekeepingStore } = shared;
  const queues = {
    verifications: `verifications-${name}`,
    webhooks: `webhooks-${name}`,
    checks: `checks-${name}`,
    looks: `looks-${name}`,
    masks: `masks-${name}`,
    banks: `banks-${name}`,
  };
  const names = { queues, housekeepingId: `housekeeping-${name}` };
  const ctx = { ...shared.contextOn(apiConnection, names), passwordCost: quickPasswords, reviewHeldMs: 0 };
  const { store, secrets, addresses } = ctx;
  const engines = startEngines(
    isolated,
    { ...ctx, income: { signedTypes: [] } },
    { looker: noOpinion, ...(ownEngines.documents && quickOnes), ...ownEngines },
  );
  const { banks } = engines.parts;
  const sender = createSender({ rules: addresses, extraCa: () => [inject('receiverTls').ca] });
  atTheEnd(() => Promise.all([engines.close(), sender.close()]));
  const ownDecoder = onceAFile(
    () => createPictureDecoder({ ...isolated, program: decoderProgram }),
    (own) => own.close(),
  );
  // Most tests decode nothing, so no process is prepared for them.
  const decoder: PictureDecoder = {
    take: (upload, kind) => ownDecoder().take(upload, kind),
    logo: (upload) => ownDecoder().logo(upload),
    close: async () => undefined,
  };
  const startOwnApi = async (
    parts: {
      clock?: Clock;
      log?: typeof log;
      temporal?: TemporalClient;
      mcpAllowedOrigins?: readonly string[];
      connections?: ConnectionLimits;
      creates?: number;
    } = {},
  ) => {
    const itsCtx = { ...ctx, clock: parts.clock ?? ctx.clock, temporal: parts.temporal ?? ctx.temporal };
    const api = await startApi({
      ctx: itsCtx,
      log: parts.log ?? log,
      counting: { redisUrl: undefined, ...countedBy },
      decoder,
      parseReturn: banks.parseReturn,
      trustProxy: trustProxy ? [loopback] : [],
      mcpAllowedOrigins: parts.mcpAllowedOrigins ?? mcpAllowedOrigins,
      host: '127.0.0.1',
      port: 0,
      ...(parts.connections && { connections: parts.connections }),
      creates: parts.creates,
    });
    return { url: `http://127.0.0.1:${api.port}`, stop: atTheEnd(api.stop) };
  };
  const startOwnConsole = async (parts: OwnConsole = {}) => {
    const { url, rateLimits, workflowsUrl, clock = ctx.clock, temporal = ctx.temporal } = parts;
    const { reviewHeldMs = ctx.reviewHeldMs } = parts;
    const trustProxy = parts.trustProxy === false ? [] : [loopback];
    const place = { trustProxy, host: '127.0.0.1', port: 0, url, workflowsUrl };
    const server = await startConsole({
      ...{ ctx: { ...ctx, clock, temporal, reviewHeldMs }, decoder, log, ...place },
      counting: { redisUrl: undefined, ...rateLimits },
      tryContract: contractTrials(banks, clock, parts.mayUseLoopback),
      connections: parts.connections,
    });
    return { url: `http://127.0.0.1:${server.port}`, stop: atTheEnd(server.stop) };
  };
  const { url, stop: stopApi } = await startOwnApi();

  let connection: NativeConnection | undefined;
  let worker: RunningWorker | undefined;
  const stopWorker = async () => {
    await worker?.stop();
    worker = undefined;
  };
  const connect = async () => {
    const connected = await NativeConnection.connect({ address: temporalAddress });
    atTheEnd(() => connected.close());
    atTheEnd(stopWorker);
    return connected;
  };
  const startOwnWorker = async (workflows: WorkflowBuild = inject('workflows')) => {
    connection ??= await connect();
    const itsCtx = shared.contextOn(connection, { ...names, eagerDeliveries: true });
    worker = await startWorker({
      connection,
      namespace,
      queues,
      turns,
      housekeeping,
      roots,
      engines: engines.parts,
      log,
      ctx: { ...itsCtx, sender, retryWaitsMs },
      housekeepingStore,
      workflows,
      withoutThreads: true,
    });
  };
  if (withWorker) await startOwnWorker();

  const codec = createCodec(secrets);
  const temporalClient = new Client({
    connection: Connection.lazy({ address: temporalAddress }),
    namespace,
    dataConverter: { payloadCodecs: [codec] },
  });
  atTheEnd(() => temporalClient.connection.close());

  return {
    ctx: { ...ctx, log },
    store,
    housekeepingStore,
    /** Runs SQL as superuser on the harness's database and returns the rows. */
    rows: rowsIn(superuser),
    url,
    /** The database for its superuser. */
    databaseUrl,
    /** The database for the roles of the product. */
    roleUrls,
    temporal: temporalClient,
    /** Encrypts and decrypts what Temporal stores of the product's workflows. */
    codec,
    queues,
    housekeepingId: names.housekeepingId,
    /** Starts one more API on the same database, like a second process. */
    startApi: startOwnApi,
    /** Starts a console. `url` is the address that it believes to have. */
    startConsole: startOwnConsole,
    stopApi,
    startWorker: startOwnWorker,
    stopWorker,

    /** Changes settings of an organisation, as an operator does. */
    settings: (settings: Partial<OrganisationSettings>, org = 'Acme') => settle(store, org, settings),

    /** Sets the logo of an organisation, as an operator does. Null removes it. */
    logo: async (upload: Uint8Array | null, org = 'Acme') =>
      changeLogo({ store, decoder }, await operatorAt(store, org), { upload }),

    /** Creates a key for the organisation of this name. `rateLimit: null` means the default limit. */
    key: (options: KeyOptions = {}) =>
      makeKey(store, {
        organisation: options.org ?? 'Acme',
        environment: options.environment ?? 'sandbox',
        grants: options.grants ?? [...allGrants],
        rateLimit: options.rateLimit === null ? undefined : (options.rateLimit ?? manyRequests),
        expiresAt: options.expiresAt,
      }),
  };
}

type Call = {
  key?: string | undefined;
  body?: unknown;
  rawBody?: string | Buffer;
  /** A list is sent as a header of its own for each value. */
  headers?: Record<string, string | string[]>;
};

/** Makes one HTTP call, and checks what every answer must have. `body` is sent as JSON, `rawBody` unchanged. */
export async function call(
  harness: { url: string },
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  options: Call = {},
) {
  const { key, body, rawBody, headers } = options;
  const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await request(`${harness.url}${path}`, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { body: payload }),
  });
  const text = await response.body.text();
  const type = String(response.headers['content-type'] ?? '');
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects; a wrong shape fails its assertion
  const json: any = type.startsWith('application/json') ? JSON.parse(text) : undefined;
  const answer = { status: response.statusCode, headers: response.headers, text, json };
  plantPrivateParts([body, json]);
  expectWhatEveryAnswerOwes(path, answer);
  expectDescribed(method, path, answer);
  return answer;
}

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; json: unknown };

/**
 * Every answer is JSON, except below /verify and /docs. Every answer but that of health has a request id and the rate limit. An
 * error has the type and the status of the catalogue, and 429 and 503 have Retry-After (specification 2, 4, 7.1, 8).
 */
function expectWhatEveryAnswerOwes(path: string, { status, headers, json }: Answer): void {
  if (json === undefined) expect(path, 'the path of an answer that is no JSON').toMatch(/^\/(verify|docs)/);
  if (path === '/v1/health' && status === 200) return;
  expect(headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining'])
    expect(headers[name], name).toMatch(/^(0|[1-9]\d*)$/);
  if (status === 429 || status === 503) expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
  if (status < 400 || json === undefined || path === '/ready') return;
  const { error } = ErrorBody.parse(json);
  const row = errors[error.code];
  expect({ status, type: error.type, request_id: error.request_id }).toEqual({
    status: row.status,
    type: row.type,
    request_id: headers['x-request-id'],
  });
}
