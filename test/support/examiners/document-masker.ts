import { type Logger, pino } from 'pino';
import { startDocumentMasker } from '#activities/checks/document/masking/masker.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import type { Program } from '#platform/isolated/program.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';

/** The product's masker of documents, isolated as far as this machine allows. */
export const documentMasker = async (
  program: Partial<Program> = {},
  log: Logger = pino({ level: 'silent' }),
) => startDocumentMasker({ isolation: await findIsolation(log), log, instruments: noInstruments, program });
