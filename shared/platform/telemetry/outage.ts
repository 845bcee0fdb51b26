import type { Log } from '../log.ts';

type Result = { code: number };
type Exporter<Batch> = { export(batch: Batch, done: (result: Result) => void): void };

/**
 * Logs when the collector stops accepting exports and when it accepts exports again. Exports that fail are
 * lost.
 */
export function sayingOutages<Batch, Each extends Exporter<Batch>>(
  exporter: Each,
  what: string,
  log: Log,
): Each {
  const send = exporter.export.bind(exporter);
  let away = false;
  exporter.export = (batch: Batch, done: (result: Result) => void) =>
    send(batch, (result) => {
      const failed = result.code !== 0;
      if (failed && !away)
        log.warn(`OTEL_EXPORTER_OTLP_ENDPOINT does not accept our ${what}; they are dropped`);
      if (!failed && away) log.info(`OTEL_EXPORTER_OTLP_ENDPOINT accepts our ${what} again`);
      away = failed;
      done(result);
    });
  return exporter;
}
