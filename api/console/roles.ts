import type { MemberRole } from '#contract/members.ts';

const everyRole: readonly MemberRole[] = ['owner', 'developer', 'reviewer', 'auditor'];

/**
 * What each role may do in the console. Every page and every form names one of these rights. An auditor reads everything but evidence,
 * and changes nothing. An operator has no role: the operator's commands belong to no organisation and show no evidence.
 */
export const rights = {
  'account.own': everyRole,
  'keys.see': ['owner', 'developer', 'auditor'],
  'keys.change': ['owner', 'developer'],
  'members.see': ['owner', 'auditor'],
  'members.change': ['owner'],
  'webhooks.see': ['owner', 'developer', 'auditor'],
  'webhooks.change': ['owner', 'developer'],
  'verifications.see': ['owner', 'developer', 'auditor'],
  'verifications.change': ['owner', 'developer'],
  'verifications.erase': ['owner'],
  'queue.see': ['owner', 'reviewer', 'auditor'],
  'queue.decide': ['owner', 'reviewer'],
  'evidence.see': ['owner', 'reviewer'],
  'dossiers.make': ['owner', 'auditor'],
} as const satisfies Record<string, readonly MemberRole[]>;

export type Right = keyof typeof rights;

export const may = (role: MemberRole, right: Right): boolean =>
  (rights[right] as readonly MemberRole[]).includes(role);
