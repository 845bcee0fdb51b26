import { Problem } from '#contract/errors.ts';
import { uuid } from '#contract/fields.ts';
import type { ListQuery } from '#contract/list.ts';
import {
  type AttemptFigures,
  type WatchedEndpoint,
  watchedEndpointsOf,
} from '#store/webhooks/watched-endpoints.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { type Page, pageOf } from '../portions/page.ts';

export { countedDeliveries } from '#store/webhooks/watched-endpoints.ts';
export type { AttemptFigures, WatchedEndpoint };

export type EndpointWatch = {
  endpoint: WatchedEndpoint;
  figures: AttemptFigures;
  changedFromSandbox: Date | undefined;
};

/** The endpoints of an organisation with their health, newest first. */
export async function watchEndpoints(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  query: ListQuery,
): Promise<Page<WatchedEndpoint>> {
  assertMay(caller, 'webhooks.see');
  return pageOf(watchedEndpointsOf(caller.scope, store.db), query, (row: WatchedEndpoint) => row);
}

/** One endpoint, how its newest attempts ended, and when a key of sandbox changed it last if it gets live events. Throws `webhook_not_found`, also for a malformed id. */
export async function watchEndpoint(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id }: { id: string },
): Promise<EndpointWatch> {
  assertMay(caller, 'webhooks.see');
  const endpoints = watchedEndpointsOf(caller.scope, store.db);
  const endpoint = uuid.safeParse(id).success ? await endpoints.find(id) : undefined;
  if (endpoint === undefined) throw new Problem('webhook_not_found');
  const changedFromSandbox =
    endpoint.environment === 'sandbox' ? undefined : await endpoints.changedFromSandbox(id);
  return { endpoint, figures: await endpoints.figures(id), changedFromSandbox };
}
