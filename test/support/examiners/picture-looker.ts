import { type Logger, pino } from 'pino';
import { startPictureLooker } from '#activities/checks/document/quick/looker.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import type { Program } from '#platform/isolated/program.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';

/** The product's looker at pictures, isolated as far as this machine allows. `keptMs` is the time that a prepared program waits. */
export const pictureLooker = async (
  program: Partial<Program> = {},
  keptMs?: number,
  log: Logger = pino({ level: 'silent' }),
) =>
  startPictureLooker(
    { isolation: await findIsolation(log), log, instruments: noInstruments, program },
    keptMs,
  );
