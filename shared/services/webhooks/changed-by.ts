import type { Environment } from '#contract/enums.ts';
import type { Caller } from '../caller.ts';
import type { Member, RequestContext } from '../context.ts';
import type { Actor } from '../ledger/append.ts';
import { noteSandboxChange } from './note-sandbox-change.ts';

/** Who changes an endpoint, and what the line in the ledger says of them besides. */
export type ChangedBy = {
  actor: Actor;
  data: { by_environment?: Environment };
  /** Tells the operator of a change that came from sandbox to an endpoint of live. */
  note: (webhookId: string, environment: string, change: Parameters<typeof noteSandboxChange>[4]) => void;
};

export const byKey = (ctx: Pick<RequestContext, 'log'>, key: Caller): ChangedBy => ({
  actor: key.actor,
  data: { by_environment: key.scope.environment },
  note: (...change) => noteSandboxChange(ctx, key, ...change),
});

/** A member belongs to no environment. */
export const byMember = ({ id }: Member): ChangedBy => ({
  actor: { kind: 'member', id },
  data: {},
  note: () => undefined,
});
