import { afterAll } from 'vitest';

type Stop = () => Promise<void>;
const stops: Stop[] = [];

/** Vitest ignores an afterAll that a test or a hook calls, so this single afterAll stops everything. */
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** Calls `stop` after the last test of the file, in reverse order. A test may call the returned function to stop earlier. */
export function atTheEnd(stop: () => unknown): Stop {
  let stopped: Promise<unknown> | undefined;
  const once = async () => {
    stopped ??= Promise.resolve(stop());
    await stopped;
  };
  stops.push(once);
  return once;
}
