import { isIncome } from '#contract/enums.ts';
import type { Link } from '#services/flow/find-link.ts';

/** What a verification is to establish: who somebody is, or what somebody earns. Texts that tell of it differ by it. */
export type Aim = 'identity' | 'income';

export const aimOf = ({ method }: Pick<Link, 'method'>): Aim => (isIncome(method) ? 'income' : 'identity');

/** What a person hands in on the page: pictures, the documents of an income check, or nothing, where a bank confirms. */
export type HandedIn = 'pictures' | 'papers' | 'nothing';

export function handsIn(link: Pick<Link, 'method' | 'consents'>): HandedIn {
  if (aimOf(link) === 'income') return 'papers';
  return link.consents.some((item) => item === 'document' || item === 'face') ? 'pictures' : 'nothing';
}
