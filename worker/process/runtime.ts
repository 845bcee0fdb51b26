import { DefaultLogger, Runtime } from '@temporalio/worker';
import { freePort } from '#platform/free-port.ts';
import type { Log } from '#platform/log.ts';

/** The worker of queue `checks` has only activities, and `activities/failures.ts` logs each failure itself. */
const expected = new Set(['No workflows registered, not polling for workflow tasks', 'Activity failed']);

/**
 * Sends warnings and errors of Temporal's SDK to our log. A process must call this function once, before it opens any connection.
 */
export function installRuntime(log: Log, metricsAddress?: string): void {
  Runtime.install({
    // The SDK calls only the method `log`, which the other methods of this logger call as well.
    logger: new DefaultLogger('WARN', ({ level, message }) => {
      if (!expected.has(message)) log[level === 'ERROR' ? 'error' : 'warn']({ from: 'temporal' }, message);
    }),
    telemetryOptions: {
      logging: { forward: {}, filter: 'WARN' },
      ...(metricsAddress !== undefined && {
        metrics: {
          attachServiceName: false,
          prometheus: { bindAddress: metricsAddress, useSecondsForDurations: true, unitSuffix: true },
        },
      }),
    },
    shutdownSignals: [],
  });
}

const bindTries = 3;

/** Installs the runtime with a page for the SDK's own metrics on a free loopback port. Returns the address of that page. */
export async function installMeasuredRuntime(log: Log): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const bindAddress = `127.0.0.1:${await freePort()}`;
    try {
      installRuntime(log, bindAddress);
      return bindAddress;
    } catch (error) {
      if (attempt === bindTries) throw error;
    }
  }
}
