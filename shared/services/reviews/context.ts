import type { OrgScope } from '#store/scope.ts';
import type { Context } from '../context.ts';

/** The context of a verb for a member of an organisation. The scope is that of the member. */
export type ReviewContext = Pick<Context, 'store' | 'clock'> & { scope: OrgScope };

/** A member who is signed in. The services know no more of them than their id. */
export type Member = { id: string };
