import type { Environment, Grant } from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import type { ConsoleRole } from '#contract/members.ts';
import { everyRight, type Right, rightsOfGrants, rightsOfOperators, rightsOfRole } from '#policy/rights.ts';
import { type OrgScope, scopeOfKey, scopeOfOperator } from '#store/database/scope.ts';
import type { Actor } from './ledger/append.ts';

/**
 * Who asks for something, in which organisation and environment, and what they may do there. A verb for a caller is
 * `(ctx, caller, input)`: it acts in the scope, refuses what is not among the rights, and names the actor in the ledger. Only the functions
 * of this file make a caller, each from a proof of access; test/architecture.test.ts lists the files that may call them.
 */
export type Caller = {
  readonly actor: Actor;
  readonly scope: OrgScope;
  readonly rights: ReadonlySet<Right>;
};

type Row = { orgId: string; environment: Environment };
type Session = { memberId: string; role: ConsoleRole; scopes: Record<Environment, OrgScope> };

/** A partner's program. `key` is the row that was found by the hash of its API key. */
export const callerOfKey = (key: Row & { id: string; grants: readonly Grant[] }): Caller => ({
  actor: { kind: 'key', id: key.id },
  scope: scopeOfKey(key),
  rights: rightsOfGrants(key.grants),
});

/** Somebody who is signed in to the console: a member, or an operator, who belongs to no organisation. */
export const callerOfMember = ({ memberId, role, scopes }: Session, environment: Environment): Caller => ({
  actor: { kind: role === 'operator' ? 'operator' : 'member', id: memberId },
  scope: scopes[environment],
  rights: rightsOfRole(role),
});

/** Somebody with the operator's commands. `row` is what the command makes, changes or reads. */
export const callerOfOperator = (row: Row): Caller => ({
  actor: { kind: 'operator' },
  scope: scopeOfOperator(row),
  rights: everyRight,
});

/** An operator who is signed in to the console, at a row of an organisation. Throws `not_allowed` for anybody else. */
export function callerOfSignedInOperator(operator: Pick<Caller, 'actor' | 'rights'>, row: Row): Caller {
  assertMay(operator, 'operators.change');
  return { actor: operator.actor, scope: scopeOfOperator(row), rights: rightsOfOperators };
}

/** The product itself, which makes `row` at its first start. */
export const callerOfMachine = (row: Row): Caller => ({
  actor: { kind: 'machine' },
  scope: scopeOfOperator(row),
  rights: everyRight,
});

/** Throws `not_allowed`. The doors ask first and have answers of their own, so this stops a door that forgot to. */
export function assertMay({ rights }: Pick<Caller, 'rights'>, right: Right): void {
  if (!rights.has(right)) throw new Problem('not_allowed');
}

/** The id of the member who asks. Throws `not_allowed` for anybody else: a review and a dossier name a member. */
export function memberIdOf({ actor }: Pick<Caller, 'actor'>): string {
  if (actor.kind !== 'member') throw new Problem('not_allowed');
  return actor.id;
}
