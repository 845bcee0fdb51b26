type Stop = () => Promise<void>;
const stops: Stop[] = [];

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

/**
 * Makes a value at its first use in a test file, and keeps it for that file. Test files share the modules of their process, so what
 * stops after the last test of a file must not outlive it.
 */
export function onceAFile<Value>(make: () => Value, stop: (value: Value) => unknown): () => Value {
  let kept: { value: Value } | undefined;
  return () => {
    if (kept !== undefined) return kept.value;
    const value = make();
    kept = { value };
    atTheEnd(() => {
      kept = undefined;
      return stop(value);
    });
    return value;
  };
}

/** Stops everything, also if one stop fails. Then that failure is thrown. `each-file.ts` calls this after the last test of each file. */
export async function stopEverything(): Promise<void> {
  const failures: unknown[] = [];
  for (const stop of stops.splice(0).reverse()) await stop().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
