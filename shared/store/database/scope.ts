import type { Environment } from '#contract/enums.ts';

declare const minted: unique symbol;

/**
 * An organisation and one of its environments. Queries for a caller require a scope, so they reach only rows of that
 * organisation. Only six functions create a scope, each from a proof of access. test/architecture.test.ts lists the files that
 * may call these functions.
 */
export type OrgScope = { readonly orgId: string; readonly environment: Environment; readonly [minted]: true };

type Row = { orgId: string; environment: Environment };
const mint = ({ orgId, environment }: Row): OrgScope => ({ orgId, environment }) as OrgScope;

/** The scope of a caller with an API key. `key` is the row that was found by the hash of that API key. */
export const scopeOfKey = (key: Row): OrgScope => mint(key);

/** The scope of a person with a link. `verification` is the row that a genuine link identifies. */
export const scopeOfLink = (verification: Row): OrgScope => mint(verification);

/** The scope of an operator's command. `row` is the row that the command makes, changes or reads. */
export const scopeOfOperator = (row: Row): OrgScope => mint(row);

/** The scope of somebody who is signed in to the console, or who has a link to set a password. `row` belongs to that member. */
export const scopeOfMember = (row: Row): OrgScope => mint(row);

/** The scope of housekeeping. `row` is the row that has expired. */
export const scopeOfHousekeeping = (row: Row): OrgScope => mint(row);

/**
 * The scope in which a workflow acts. The workflow carries out a request that came with a key or a link. `ref` is the input of the
 * workflow, or the row whose id is in that input.
 */
export const scopeOfWorkflow = (ref: Row): OrgScope => mint(ref);
