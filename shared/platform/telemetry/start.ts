import { StartFault } from '../failures.ts';
import { noInstruments } from './instruments.ts';
import type { Telemetry, TelemetryOptions } from './options.ts';

export const isMeasured = ({ metrics, otlpEndpoint }: TelemetryOptions['config']): boolean =>
  metrics.port !== 'off' || otlpEndpoint !== undefined;

/**
 * Starts the telemetry that the configuration asks for. If no telemetry is configured, the modules of the telemetry are not loaded.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  if (!isMeasured(options.config))
    return { instruments: noInstruments, port: undefined, traced: false, stop: async () => undefined };
  const { startMetrics } = await import('./metrics.ts');
  const { unserved } = options;
  try {
    return await startMetrics(options);
  } catch (error) {
    if (!(error instanceof StartFault) || unserved === undefined) throw error;
    unserved(error);
    const { config } = options;
    return startTelemetry({ ...options, config: { ...config, metrics: { ...config.metrics, port: 'off' } } });
  }
}
