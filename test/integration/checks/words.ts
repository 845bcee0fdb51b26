import { expect } from 'vitest';
import type { DocumentReader } from '#activities/checks/port.ts';
import { drawn, type Specimen } from '#test/support/specimens/card.ts';
import { photograph, type Variant } from '#test/support/specimens/photograph.ts';

export type Words = { integrity: string; expiry: string; digits: string; consistency: string };

export const allPassed: Words = {
  integrity: 'not_applicable',
  expiry: 'passed',
  digits: 'passed',
  consistency: 'passed',
};
export const allInDoubt: Words = {
  integrity: 'not_applicable',
  expiry: 'doubt',
  digits: 'doubt',
  consistency: 'doubt',
};

const today = new Date('2026-11-21T12:00:00Z');

/** The returned functions give the results of this reader's checks: `said` for pictures, and `saidOf` for a drawn specimen. */
export function checksBy(reader: Pick<DocumentReader, 'check'>) {
  async function said(front: Uint8Array, back: Uint8Array | null = null, day = today): Promise<Words> {
    const { checks } = await reader.check({ front, back }, day);
    expect(checks.map(({ kind }) => kind)).toEqual([
      'document_integrity',
      'document_expiry',
      'mrz_check_digits',
      'data_consistency',
    ]);
    const [integrity, expiry, digits, consistency] = checks.map(({ result }) => result);
    return {
      integrity: integrity ?? '',
      expiry: expiry ?? '',
      digits: digits ?? '',
      consistency: consistency ?? '',
    };
  }

  async function saidOf(specimen: Specimen, variant: Variant = {}, backVariant = variant): Promise<Words> {
    const { front, back } = drawn(specimen);
    return said(await photograph(front, variant), back && (await photograph(back, backVariant)));
  }

  return { said, saidOf };
}
