import type { Config } from '../config/config.ts';
import type { StartFault } from '../failures.ts';
import type { Log } from '../log.ts';
import type { Instruments } from './instruments.ts';

export type Telemetry = {
  instruments: Instruments;
  /** The port of `/metrics`. Undefined if the page is not served. */
  port: number | undefined;
  /** True if spans are collected and exported. */
  traced: boolean;
  /** Exports the last metrics and spans, within three seconds. */
  stop(): Promise<void>;
};

/** The default port of `/metrics` for each kind of process. */
export const metricsPorts = { api: 9464, worker: 9465, standalone: 9464 } as const;

export type TelemetryOptions = {
  config: Pick<Config, 'metrics' | 'otlpEndpoint'>;
  process: keyof typeof metricsPorts;
  log: Log;
  /** The `host:port` on which the native part of Temporal's SDK serves its metrics. Undefined in a process without a worker. */
  core?: string | undefined;
  /**
   * If the page cannot be served, `unserved` is called and the process starts without the page. If `unserved` is absent, the start
   * fails.
   */
  unserved?: (fault: StartFault) => void;
};
