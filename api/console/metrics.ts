import { passwordWork } from '#platform/sign-in/password-turns.ts';
import type { Instruments } from '#platform/telemetry/instruments.ts';

/** Registers the metrics of the console. Each value is read when the metrics are collected. */
export function observeConsole({ instruments }: { instruments: Instruments }): void {
  instruments.passwordWorkWaiting.addCallback((result) => result.observe(passwordWork().waiting));
  instruments.passwordWork.addCallback((result) => {
    const { done, refused } = passwordWork();
    result.observe(done, { outcome: 'done' });
    result.observe(refused, { outcome: 'refused' });
  });
}
