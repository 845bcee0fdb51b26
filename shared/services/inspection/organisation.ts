import { uuid } from '#contract/fields.ts';
import type { ListQuery } from '#contract/list.ts';
import { findSettings } from '#store/organisations/organisations.ts';
import { assertMay, type Caller, callerOfOperator } from '../caller.ts';
import type { Context } from '../context.ts';
import type { Page } from '../portions/page.ts';
import { type WatchedEndpoint, watchEndpoints } from '../webhooks/watch.ts';

/** An endpoint as an operator sees it. It has only the origin of the address, because the rest can contain a secret of the partner. */
export type EndpointAtWork = Omit<WatchedEndpoint, 'url' | 'description'> & { origin: string };

export type InspectedOrganisation = {
  id: string;
  name: string;
  paused: boolean;
  /** Newest first. Deleted ones are included. */
  endpoints: Page<EndpointAtWork>;
};

/** What an operator sees of one organisation. Undefined if there is none with this id. Throws `invalid_cursor`. */
export async function inspectOrganisation(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id, ...query }: ListQuery & { id: string },
): Promise<InspectedOrganisation | undefined> {
  assertMay(caller, 'operators.see');
  if (!uuid.safeParse(id).success) return undefined;
  const settings = await findSettings(store.db, { id });
  if (settings === undefined) return undefined;
  const there = callerOfOperator({ orgId: id, environment: 'live' });
  const { data, ...page } = await watchEndpoints({ store }, there, query);
  const endpoints = data.map(({ url, description: _, ...shown }) => ({
    ...shown,
    origin: new URL(url).origin,
  }));
  return { id, name: settings.name, paused: settings.paused, endpoints: { data: endpoints, ...page } };
}
