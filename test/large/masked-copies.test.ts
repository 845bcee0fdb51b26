import { expect, test } from 'vitest';
import { codesIn, hasTesseract, isReadableIn, textOf } from '#test/support/specimens/bsn/judge.ts';
import { bsnSpecimen, forms, kinds } from '#test/support/specimens/bsn/specimens.ts';
import { coverBoth, maskingTools } from '#test/support/specimens/bsn/tools.ts';

/**
 * Every kind of document with every form of the number, photographed in many ways. `test/support/specimens/bsn/measure.ts` does the
 * same for more specimens, and draws them.
 */
const tools = await maskingTools();
const canJudge = await hasTesseract();

test.each(Array.from({ length: kinds.length * forms.length }, (_, index) => index))(
  'on the copy of specimen %i no reader finds the number',
  async (index) => {
    const specimen = await bsnSpecimen(index);
    const { sides } = await coverBoth(specimen, index % 2 === 0, tools);
    for (const side of sides) {
      expect(await codesIn(side)).toEqual([]);
      if (canJudge) expect(isReadableIn(await textOf(side, specimen.degrees), specimen.bsn)).toBe(false);
    }
  },
);
