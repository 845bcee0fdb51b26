import type { Environment } from '#contract/enums.ts';

declare const minted: unique symbol;

/**
 * Whose data, and of which environment. Finders take it, so a handler without one cannot reach a row. Only the functions
 * below mint it, each from something that proves the right to it.
 */
export type OrgScope = { readonly orgId: string; readonly environment: Environment; readonly [minted]: true };

type Row = { orgId: string; environment: Environment };
const mint = ({ orgId, environment }: Row): OrgScope => ({ orgId, environment }) as OrgScope;

/** From an API key that was looked up by its hash. */
export const scopeOfKey = (key: Row): OrgScope => mint(key);

/** From a verification that a person's link leads to. */
export const scopeOfLink = (verification: Row): OrgScope => mint(verification);

/** From a claimed request, by which a workflow carries out what a key asked for. */
export const scopeOfRequest = (request: Row): OrgScope => mint(request);

/** From a delivery, which belongs to an event of that organisation. */
export const scopeOfDelivery = (delivery: Row): OrgScope => mint(delivery);
