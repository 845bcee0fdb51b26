import type Router from '@koa/router';
import type { z } from 'zod';
import { type ErrorCode, Problem } from '#contract/errors.ts';
import { idempotencyKeyText, uuid } from '#contract/fields.ts';
import { limits } from '#contract/limits.ts';
import { canonicalJson } from '#platform/crypto/canonical-json.ts';
import { sha256 } from '#platform/crypto/crypto.ts';
import type { RepeatableRequest, RequestContext } from '#services/context.ts';
import type { GivenAnswer } from '#services/requests/answer.ts';
import { admit, keyHolderOf } from '../middleware/authenticate.ts';
import { jsonBytes, parseJson } from '../middleware/body.ts';
import { deadlineFromNow, inTime } from '../middleware/deadline.ts';
import { isLarge, parseWithDocuments, receiveLarge } from '../middleware/documents.ts';
import type { ServerContext } from '../server-context.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { invalidParameter } from './invalid-parameter.ts';
import { prefix } from './routes.ts';
import type { KeyedRoute, OpenRoute, Route } from './row.ts';

/**
 * Registers one handler for each route. The router composes its chain of handlers for every request, so the chain must be short.
 */
export function mount(router: Router<ApiState>, rows: readonly Route[], ctx: ServerContext): void {
  for (const row of rows)
    router.register(
      prefix + row.path,
      [row.method],
      [(koa: RoutedContext) => (row.grant === null ? answerOpenly(row, koa) : answer(row, ctx, koa))],
      { name: row.operation },
    );
}

type RoutedContext = ApiContext & { params: Record<string, string> };

/**
 * The checks run in the order of decision 15: key, rate limit, scope, body, operation. If a request has no answer ten seconds after
 * its arrival, it is answered with 503, since its outcome is then unknown.
 */
async function answer(row: KeyedRoute, ctx: ServerContext, koa: RoutedContext): Promise<void> {
  koa.state.deadlineAt = deadlineFromNow();
  // The checks of key and rate limit end sooner by themselves, and a request over its limit needs no timer.
  if (!(await admit(ctx, koa))) return;
  authorise(row, koa);
  if (row.documents === true && isLarge(koa)) await answerLarge(row, ctx, koa);
  else await inTime(operate(row, ctx, koa), koa.state.deadlineAt);
}

/** A large body may take longer to arrive. The server ends those that are slow. The deadline is that of what follows. */
const answerLarge = (row: KeyedRoute, ctx: ServerContext, koa: RoutedContext): Promise<void> =>
  receiveLarge(ctx, koa, keyHolderOf(koa.state).caller.scope, (body) => {
    koa.state.body = body;
    koa.state.deadlineAt = deadlineFromNow();
    return inTime(carryOut(row, ctx, koa), koa.state.deadlineAt);
  });

/** Answers without key and rate limit, so the answer has no headers for request id and rate limit (specification 4). */
async function answerOpenly(row: OpenRoute, koa: ApiContext): Promise<void> {
  koa.remove('X-Request-Id');
  koa.state.bare = true;
  koa.status = row.success.status;
  koa.body = row.success.schema.parse(await row.run());
}

async function operate(row: KeyedRoute, ctx: ServerContext, koa: RoutedContext): Promise<void> {
  if (row.body !== undefined) await readBody(row, koa);
  await carryOut(row, ctx, koa);
}

async function carryOut(row: KeyedRoute, ctx: ServerContext, koa: RoutedContext): Promise<void> {
  const path = pathParameters(koa.params, row.notFound);
  const query = row.query && parse(row.query, queryOf(koa));
  const body = row.body && parse(row.body, bodyOf(koa));
  const input = { ...query, ...body, ...path };
  const { caller } = keyHolderOf(koa.state);
  const result = await row.run(requestContext(row, ctx, koa), caller, input);
  if (isStoredAnswer(result)) {
    if (result.replayed) koa.set('Idempotent-Replayed', 'true');
    koa.status = result.status;
    koa.type = 'application/json';
    koa.body = result.body;
  } else {
    koa.status = row.success.status;
    koa.body = row.success.schema.parse(result);
  }
}

/** Checks first the scope (specification 5.4), then the environment (rule 3 of 4.1; decision 8). */
function authorise({ grant, sandboxOnly }: KeyedRoute, { state }: ApiContext): void {
  const { grants, caller } = keyHolderOf(state);
  if (!grants.includes(grant)) throw new Problem('insufficient_scope');
  if (sandboxOnly && caller.scope.environment !== 'sandbox') throw new Problem('not_sandbox');
}

async function readBody({ documents }: KeyedRoute, koa: ApiContext): Promise<void> {
  const bytes = await jsonBytes(koa);
  if (bytes.length > 0) koa.state.body = documents === true ? parseWithDocuments(bytes) : parseJson(bytes);
}

const isStoredAnswer = (result: unknown): result is GivenAnswer =>
  typeof result === 'object' && result !== null && 'replayed' in result;

/** Only `id` is checked here. If the path has a second id, the verb checks the second id after it has found the row of `id`. */
function pathParameters(params: Record<string, string>, notFound: ErrorCode = 'not_found') {
  if (params.id !== undefined && !uuid.safeParse(params.id).success) throw new Problem(notFound);
  return params;
}

/** A missing body counts as an empty object (decision 21). A body of `null` stays null. */
const bodyOf = ({ state }: ApiContext): unknown => (state.body === undefined ? {} : state.body);

/**
 * Maps each name to its value, or to a list of values if the name repeats. Koa's own parser takes quadratic time over repeated
 * names.
 */
function queryOf({ querystring }: ApiContext): Record<string, string | string[]> {
  const pairs = Map.groupBy(new URLSearchParams(querystring), ([name]) => name);
  return Object.fromEntries(
    [...pairs].map(([name, [[, first] = ['', ''], ...more]]) => [
      name,
      more.length === 0 ? first : [first, ...more.map(([, value]) => value)],
    ]),
  );
}

function parse(schema: z.ZodObject, given: unknown): object {
  const parsed = schema.safeParse(given, { reportInput: true });
  if (!parsed.success) throw invalidParameter(parsed.error);
  return parsed.data;
}

function requestContext(row: KeyedRoute, ctx: ServerContext, koa: ApiContext): RequestContext {
  const { grants, isPaused } = keyHolderOf(koa.state);
  return {
    ...ctx,
    grants,
    isPaused,
    requestId: koa.state.requestId,
    request: row.idempotent ? repeatable(koa) : undefined,
    deadlineAt: koa.state.deadlineAt,
  };
}

/** The header Idempotency-Key must be 1 to 255 printable ASCII characters (decision 21). */
function repeatable(koa: ApiContext): RepeatableRequest | undefined {
  const key = koa.headers['idempotency-key'];
  if (key === undefined) return undefined;
  const { data } = idempotencyKeyText.safeParse(key);
  if (data === undefined)
    throw new Problem(
      'invalid_parameter',
      `Idempotency-Key must be 1 to ${limits.idempotencyKeyLengthMax} printable ASCII characters.`,
    );
  const fingerprint = () => sha256(`${koa.method} ${koa.path} ${canonicalJson(bodyOf(koa))}`);
  return { idempotencyKey: data, fingerprint };
}
