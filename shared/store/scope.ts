import type { Environment } from '#contract/enums.ts';

declare const minted: unique symbol;

/**
 * An organisation and one of its environments. Queries take it, so a verb without one cannot reach a row. Three functions mint it,
 * each from something that proves the right to it; test/architecture.test.ts says which file may call which.
 */
export type OrgScope = { readonly orgId: string; readonly environment: Environment; readonly [minted]: true };

type Row = { orgId: string; environment: Environment };
const mint = ({ orgId, environment }: Row): OrgScope => ({ orgId, environment }) as OrgScope;

/** For the caller who holds an API key: `key` was found by its hash. */
export const scopeOfKey = (key: Row): OrgScope => mint(key);

/** For the person who holds a link: `verification` is the one that the genuine link leads to. */
export const scopeOfLink = (verification: Row): OrgScope => mint(verification);

/** For a workflow, which carries out what a key or a link asked for: `ref` is the row that it names, or its own input. */
export const scopeOfWorkflow = (ref: Row): OrgScope => mint(ref);
