import { type Logger, pino } from 'pino';
import { startDocumentReader } from '#activities/checks/document/reader.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import type { Program } from '#platform/isolated/program.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';

/** The product's reader of documents, isolated as far as this machine allows. */
export const documentReader = async (
  program: Partial<Program> = {},
  log: Logger = pino({ level: 'silent' }),
  atOnce = 1,
) =>
  startDocumentReader(
    { isolation: await findIsolation(log), log, instruments: noInstruments, program },
    atOnce,
  );
