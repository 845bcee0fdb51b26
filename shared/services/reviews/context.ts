import type { OrgScope } from '#store/scope.ts';
import type { Context, Member } from '../context.ts';

/** The context of a verb for a member of an organisation. The scope is that of the member. */
export type ReviewContext = Pick<Context, 'store' | 'clock'> & { scope: OrgScope };

export type { Member };
