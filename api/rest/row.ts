import type { z } from 'zod';
import type { Grant } from '#contract/enums.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { NoFields } from '#contract/webhook.ts';
import type { Caller } from '#services/caller.ts';
import type { RequestContext } from '#services/context.ts';
import type { GivenAnswer } from '#services/requests/answer.ts';
import type { FieldsOf, TakesAll } from '../verb-input.ts';

/** One endpoint of specification 4.1 or of decisions 8, 32 to 35 and 43. `mount.ts` makes its handler, and `openapi.ts` describes it. */
export type Route = KeyedRoute | OpenRoute;

type Described = {
  operation: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** The path below /v1. If `:id` is malformed, the answer is the error `notFound`. The verb checks a second id in the path. */
  path: string;
  tag:
    | 'Verifications'
    | 'Verification operations'
    | 'Income checks'
    | 'Income check operations'
    | 'Webhooks'
    | 'Webhook operations'
    | 'Service';
  summary: string;
  /** The text in the reference, as Markdown. */
  description: string;
  success: { status: number; schema: z.ZodType; description: string };
};

/** An endpoint that needs a key with the scope `grant`. */
export type KeyedRoute = Described & {
  grant: Grant;
  sandboxOnly?: true;
  /** True if the endpoint honours the header Idempotency-Key (decision 21). */
  idempotent?: true;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** True if the body may have documents, which makes it large. */
  documents?: true;
  /** True if a request may leave out its body. */
  bodyOptional?: true;
  /** The error code if nothing has the id `:id`. */
  notFound?: ErrorCode;
  /** Errors of the operation itself, beyond those that follow from the fields above. */
  errors?: readonly ErrorCode[];
  /** The verb. The function `row` checks at compile time that the verb takes what the schemas of this row parse to. */
  run: (ctx: RequestContext, caller: Caller, input: unknown) => Promise<unknown>;
};

/** An endpoint without key and rate limit (specification 4.1). */
export type OpenRoute = Described & { grant: null; run: () => Promise<unknown> };

/** The names in a path: 'id' and 'delivery_id' in '/webhooks/:id/deliveries/:delivery_id'. */
type NamesIn<Path> = Path extends `${infer First}/${infer Rest}`
  ? NamesIn<First> | NamesIn<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never;

type InputOf<Path, Query extends z.ZodObject, Body extends z.ZodObject> = FieldsOf<Query> &
  FieldsOf<Body> & { [name in NamesIn<Path>]: string };

/**
 * Checks a row at compile time. The verb must take exactly the fields of body, query and path. It must return what the schema of
 * the answer accepts, or a stored answer, which was parsed when it was stored.
 */
export const row = <
  Path extends string,
  Success extends z.ZodType,
  Verb extends (
    ctx: RequestContext,
    caller: Caller,
    input: InputOf<Path, Query, Body>,
  ) => Promise<z.input<Success> | GivenAnswer>,
  Query extends z.ZodObject = typeof NoFields,
  Body extends z.ZodObject = typeof NoFields,
>(
  checked: Omit<KeyedRoute, 'run'> & {
    path: Path;
    query?: Query;
    body?: Body;
    success: { schema: Success };
    run: Verb & TakesAll<Parameters<Verb>[2], InputOf<Path, Query, Body>>;
  },
): KeyedRoute => checked as KeyedRoute;
