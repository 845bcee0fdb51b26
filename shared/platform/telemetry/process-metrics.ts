import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Instruments } from './instruments.ts';

/** Each look wakes an idle process. A delay that is longer than this is always seen, a shorter one often enough for a percentile. */
const resolutionMs = 100;
const windowMs = 10_000;

/**
 * Observes the memory, processor time, event-loop delay and start time of this process. The returned function stops the delay
 * monitor.
 */
export function watchProcess(instruments: Instruments): () => void {
  const { memory, heap, cpuTime, startTime } = instruments;
  startTime.addCallback((result) => result.observe(performance.timeOrigin / 1_000));
  memory.addCallback((result) => result.observe(process.memoryUsage.rss()));
  heap.addCallback((result) => result.observe(process.memoryUsage().heapUsed));
  cpuTime.addCallback((result) => {
    const { user, system } = process.cpuUsage();
    result.observe(user / 1e6, { 'cpu.mode': 'user' });
    result.observe(system / 1e6, { 'cpu.mode': 'system' });
  });
  return watchEventLoop(instruments);
}

/**
 * Measures the delay in windows of at least ten seconds. A percentile over the whole life of the process would hide recent delays.
 */
function watchEventLoop({ eventLoopDelay, eventLoopDelayMax }: Instruments): () => void {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const read = () => ({ p99: lateness(delay.percentile(99)), max: lateness(delay.max) });
  let last = { p99: 0, max: 0 };
  let readAtMs = Number.NEGATIVE_INFINITY;
  const recent = () => {
    if (performance.now() - readAtMs >= windowMs) {
      last = read();
      readAtMs = performance.now();
      delay.reset();
    }
    return last;
  };
  eventLoopDelay.addCallback((result) => result.observe(recent().p99));
  eventLoopDelayMax.addCallback((result) => result.observe(recent().max));
  return () => delay.disable();
}

/**
 * Converts a measured interval to a delay in seconds. The monitor measures the time between two of its timers, so the timer
 * interval is subtracted.
 */
const lateness = (nanoseconds: number) => Math.max(nanoseconds / 1e9 - resolutionMs / 1e3, 0);
