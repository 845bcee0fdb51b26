import type { Telemetry, TelemetryOptions } from '#platform/telemetry/options.ts';
import { isMeasured, startTelemetry } from '#platform/telemetry/start.ts';
import { installMeasuredRuntime, installRuntime } from './runtime.ts';

/** Starts the telemetry of a process with a worker. The metrics include those of Temporal's SDK. */
export async function startWorkerTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { config, log } = options;
  if (isMeasured(config)) return startTelemetry({ ...options, core: await installMeasuredRuntime(log) });
  installRuntime(log);
  return startTelemetry(options);
}
