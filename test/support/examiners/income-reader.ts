import { pino } from 'pino';
import { startIncomeReader } from '#activities/checks/income/reader.ts';
import type { IncomeDocumentType } from '#contract/enums.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import type { Program } from '#platform/isolated/program.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';

/**
 * The product's reader of papers, isolated as far as this machine allows. Its programs do not give way to others, since other tests may keep
 * the processor for long.
 */
export async function incomeReader(
  anchors: readonly Uint8Array[] = [],
  program: Partial<Program> = {},
  signedTypes: readonly IncomeDocumentType[] = [],
) {
  const log = pino({ level: 'silent' });
  const isolation = await findIsolation(log);
  const parts = { isolation, log, instruments: noInstruments, anchors, signedTypes };
  return startIncomeReader({ ...parts, program: { isBackground: false, ...program } });
}
