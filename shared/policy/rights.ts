import type { Grant } from '#contract/enums.ts';
import { type ConsoleRole, consoleRoles, memberRoles, rolesThatDecide } from '#contract/members.ts';

/**
 * What somebody may do, and the roles that may do it. Every page and every form of the console names one of these rights, except those of
 * signing in and out. The verb behind it asks for the same right. An auditor reads everything but evidence, and changes nothing. An operator has the own account and two
 * rights that nobody else has, and reaches no page of an organisation. Like the pages of an operator, the operator's commands show no
 * evidence. There is one exception, `npm run export`: a person has a right to a copy of their own data (GDPR, article 15), pictures
 * included. The ledger then has the line `verification.exported`, so the organisation sees it in the history.
 */
export const rights = {
  'account.own': consoleRoles,
  'organisation.see': ['owner', 'developer', 'auditor'],
  'organisation.change': ['owner'],
  'keys.see': ['owner', 'developer', 'auditor'],
  'keys.change': ['owner', 'developer'],
  'members.see': ['owner', 'auditor'],
  'members.change': ['owner'],
  'webhooks.see': ['owner', 'developer', 'auditor'],
  'webhooks.change': ['owner', 'developer'],
  /** What was sent, and what receivers answered: both can name a person. */
  'webhooks.contents': ['owner', 'developer'],
  'requests.see': ['owner', 'developer', 'auditor'],
  'usage.see': ['owner', 'developer', 'auditor'],
  /** One verification with its history. A reviewer comes by a link of the queue, and has no search. */
  'verifications.open': memberRoles,
  'verifications.see': ['owner', 'developer', 'auditor'],
  /** Only a key starts a verification. */
  'verifications.create': [],
  'verifications.change': ['owner', 'developer'],
  'verifications.erase': ['owner'],
  'queue.see': ['owner', 'reviewer', 'auditor'],
  'queue.decide': rolesThatDecide,
  'evidence.see': ['owner', 'reviewer'],
  'dossiers.make': ['owner', 'auditor'],
  'log.see': ['owner', 'auditor'],
  'operators.see': ['operator'],
  'operators.change': ['operator'],
} as const satisfies Record<string, readonly ConsoleRole[]>;

export type Right = keyof typeof rights;

export const everyRight: ReadonlySet<Right> = new Set(Object.keys(rights) as Right[]);

const ofRoles = new Map(
  consoleRoles.map((role) => [role, new Set([...everyRight].filter((right) => may(role, right)))]),
);

export const rightsOfRole = (role: ConsoleRole): ReadonlySet<Right> => ofRoles.get(role) ?? new Set();

/** What an operator of the console may do in an organisation: pause it, and its endpoints. */
export const rightsOfOperators: ReadonlySet<Right> = new Set(['operators.change', 'webhooks.change']);

const grantRights: Record<Grant, readonly Right[]> = {
  'verify:create': ['verifications.create', 'verifications.change', 'verifications.erase'],
  'verify:read': ['verifications.see'],
  'webhooks:manage': ['webhooks.see', 'webhooks.change'],
};

/** What a key may do. A key has no role. */
export const rightsOfGrants = (grants: readonly Grant[]): ReadonlySet<Right> =>
  new Set(grants.flatMap((grant) => grantRights[grant]));

export function may(role: ConsoleRole, right: Right): boolean {
  return (rights[right] as readonly ConsoleRole[]).includes(role);
}
