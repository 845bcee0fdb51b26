import type { Config } from '../config.ts';
import type { StartFault } from '../failures.ts';
import type { Log } from '../log.ts';
import type { Instruments } from './instruments.ts';

/** Figures and traces of a process, for those who operate it. */
export type Telemetry = {
  instruments: Instruments;
  /** Where `/metrics` is served. */
  port: number | undefined;
  /** Spans are collected and sent. */
  traced: boolean;
  /** Sends what is left, in a bounded time. */
  stop(): Promise<void>;
};

/** The processes there are, with the port of the metrics of each. */
export const metricsPorts = { api: 9464, worker: 9465, standalone: 9464 } as const;

export type TelemetryOptions = {
  config: Pick<Config, 'metrics' | 'otlpEndpoint'>;
  process: keyof typeof metricsPorts;
  log: Log;
  /** Where the native part of Temporal's SDK shows its figures, in a process that has a worker. */
  core?: string | undefined;
  /** What to do when the page cannot be served; without it the start fails. */
  unserved?: (fault: StartFault) => void;
};
