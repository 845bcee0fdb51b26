import { createTemporalClient } from '#platform/temporal/client.ts';
import { lazyConnection } from '#platform/temporal/connection.ts';
import { atTheEnd } from './at-the-end.ts';
import type { Harness } from './harness.ts';

/** A client of a Temporal at an address where nobody listens. It closes after the last test of the file. */
export async function temporalNowhere({ ctx: { secrets } }: Pick<Harness, 'ctx'>) {
  const namespace = 'default';
  const address = '127.0.0.1:1';
  const nowhere = await lazyConnection({ address, namespace, tls: undefined, apiKey: undefined }, address);
  atTheEnd(() => nowhere.close());
  return createTemporalClient(nowhere, { namespace, secrets });
}
