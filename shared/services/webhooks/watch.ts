import { Problem } from '#contract/errors.ts';
import { uuid } from '#contract/fields.ts';
import type { ListQuery } from '#contract/list.ts';
import type { OrgScope } from '#store/scope.ts';
import { type AttemptFigures, type WatchedEndpoint, watchedEndpointsOf } from '#store/watched-endpoints.ts';
import { type Page, pageOf } from '../lists/page.ts';
import type { ReadContext } from './get.ts';

export { countedDeliveries } from '#store/watched-endpoints.ts';
export type { AttemptFigures, WatchedEndpoint };

export type EndpointWatch = {
  endpoint: WatchedEndpoint;
  figures: AttemptFigures;
  changedFromSandbox: Date | undefined;
};

/** The endpoints of an organisation with their health, newest first. */
export const watchEndpoints = (
  { store, scope }: ReadContext & { scope: OrgScope },
  query: ListQuery,
): Promise<Page<WatchedEndpoint>> =>
  pageOf(watchedEndpointsOf(scope, store.db), query, (row: WatchedEndpoint) => row);

/** One endpoint, how its newest attempts ended, and when a key of sandbox changed it last if it gets live events. Throws `webhook_not_found`, also for a malformed id. */
export async function watchEndpoint(
  { store, scope }: ReadContext & { scope: OrgScope },
  id: string,
): Promise<EndpointWatch> {
  const endpoints = watchedEndpointsOf(scope, store.db);
  const endpoint = uuid.safeParse(id).success ? await endpoints.find(id) : undefined;
  if (endpoint === undefined) throw new Problem('webhook_not_found');
  const changedFromSandbox =
    endpoint.environment === 'sandbox' ? undefined : await endpoints.changedFromSandbox(id);
  return { endpoint, figures: await endpoints.figures(id), changedFromSandbox };
}
