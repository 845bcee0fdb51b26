import type { CrashPoint, Order } from './points.ts';

let order: Order;

/** Takes orders from the harness, and ends when the harness ends. */
export function obeyHarness(): void {
  process.on('message', (message: { order: Order }) => {
    order = message.order ?? undefined;
    process.send?.('armed');
  });
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

/** If the harness ordered it, the process dies here, at once and without a message. */
export function arriveAt(point: CrashPoint): void {
  if (order?.point !== point) return;
  order = { ...order, arrival: order.arrival - 1 };
  if (order.arrival === 0) process.kill(process.pid, 'SIGKILL');
}
