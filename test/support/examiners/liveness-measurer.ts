import { type Logger, pino } from 'pino';
import { startLivenessMeasurer } from '#activities/checks/liveness/measurer.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';

/** The product's measurer of movements, isolated as far as this machine allows. */
export const livenessMeasurer = async (log: Logger = pino({ level: 'silent' })) =>
  startLivenessMeasurer({ isolation: await findIsolation(log), log, instruments: noInstruments });
