import type { Config } from '#platform/config/config.ts';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { type Log, warnOfAllowedAddresses } from '#platform/log.ts';
import { addressRules } from '#platform/outbound/addresses.ts';
import type { Telemetry } from '#platform/telemetry/options.ts';
import { createTemporalClient, type TemporalClientOptions } from '#platform/temporal/client.ts';
import { openHousekeeping, openStore } from '#store/database/connection.ts';
import { startDatabaseClock } from '#store/database/database-clock.ts';
import { watchConnections } from '#store/database/metrics.ts';
import { warnOfRights } from '#store/database/roles.ts';
import type { Context } from './context.ts';

type Connection = Parameters<typeof createTemporalClient>[0];

export type PartsOptions = Pick<Context, 'simulator'> & {
  config: Pick<Config, 'databaseConnections' | 'publicUrl' | 'temporal' | 'webhookAllowAddresses'>;
  log: Log;
  telemetry: Pick<Telemetry, 'instruments' | 'traced' | 'stop'>;
  /** Without `housekeepingUrl`, the role of the product purges. */
  database: { url: string; housekeepingUrl?: string | undefined; secretsKeys: readonly Buffer[] };
  /** Lines of the store, for a process with an API. */
  lines: number;
  /** Private addresses that may be reached besides those of the configuration. */
  alsoReaches?: Parameters<typeof addressRules>[1];
  /** The connections to Temporal, which close with the parts. */
  connections: readonly { close(): Promise<void> }[];
  /** Replaces the clock of the database, for tests. */
  startClock?: typeof startDatabaseClock;
};

export type Parts = Awaited<ReturnType<typeof openParts>>;

/** Opens what every process of the product has, whatever it does. The caller must close it last. */
export async function openParts(wanted: PartsOptions) {
  const { config, log, telemetry, database, startClock = startDatabaseClock } = wanted;
  const { instruments, traced } = telemetry;
  const store = await openStore(database.url, config.databaseConnections, { lines: wanted.lines });
  const housekeepingStore = await openHousekeeping(database.housekeepingUrl);
  watchConnections(instruments, store);
  const clock = await startClock({ store, log, instruments });
  const secrets = createSecrets(database.secretsKeys);
  const shared = {
    ...{ store, clock, secrets, instruments },
    addresses: addressRules(config.webhookAllowAddresses, wanted.alsoReaches),
    publicUrl: config.publicUrl,
    simulator: wanted.simulator,
  };
  const { namespace } = config.temporal;
  return {
    ...{ log, traced, namespace },
    housekeepingStore: housekeepingStore ?? store,
    /** How this process starts isolated programs. */
    isolated: { isolation: await findIsolation(log), log, instruments },

    /** The context of verbs that call Temporal by this connection. */
    contextOn: (connection: Connection, options: Partial<TemporalClientOptions> = {}): Context => ({
      ...shared,
      temporal: createTemporalClient(connection, { namespace, secrets, traced, ...options }),
    }),

    warn() {
      warnOfAllowedAddresses(config, log);
      warnOfRights(store, log);
    },

    async close() {
      await telemetry.stop();
      clock.stop();
      await Promise.allSettled(
        [store, housekeepingStore, ...wanted.connections].map((each) => each?.close()),
      );
    },
  };
}
