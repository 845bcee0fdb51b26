import { afterAll } from 'vitest';

type Stop = () => Promise<void>;
const stops: Stop[] = [];

/** Vitest ignores an afterAll that a test or a hook calls, so the one of this module runs for all of them. */
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** Stops this after the file's last test, the latest first, or earlier when the test calls what is returned. */
export function atTheEnd(stop: () => unknown): Stop {
  let stopped: Promise<unknown> | undefined;
  const once = async () => {
    stopped ??= Promise.resolve(stop());
    await stopped;
  };
  stops.push(once);
  return once;
}
