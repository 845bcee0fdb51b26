import { isIncome } from '#contract/enums.ts';
import type { Link } from '#services/flow/find-link.ts';

/** What a verification is to establish: who somebody is, or what somebody earns. Texts that tell of it differ by it. */
export type Aim = 'identity' | 'income';

export const aimOf = ({ method }: Pick<Link, 'method'>): Aim => (isIncome(method) ? 'income' : 'identity');
