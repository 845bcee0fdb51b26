import type { Instruments } from '#platform/telemetry/instruments.ts';
import type { Store } from './connection.ts';

export function watchConnections(instruments: Instruments, store: Pick<Store, 'connections'>): void {
  instruments.connections.addCallback((result) => {
    const { used, idle } = store.connections();
    result.observe(used, { state: 'used' });
    result.observe(idle, { state: 'idle' });
  });
  instruments.connectionsMax.addCallback((result) => result.observe(store.connections().max));
  instruments.connectionsAwaited.addCallback((result) => result.observe(store.connections().awaited));
}
