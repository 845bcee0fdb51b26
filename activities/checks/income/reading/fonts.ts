import type { Font } from '#contract/income/papers.ts';
import type { Pdfium } from './pdfium.ts';
import { TooComplex } from './too-complex.ts';

/** The fonts of a file. Each has the place in `all` by which characters name it. */
export type Fonts = { all: Font[]; placeOf(font: number): number };

const fontsMax = 500;

export function fontsOf(pdfium: Pdfium): Fonts {
  const all: Font[] = [];
  const places = new Map<string, number>();
  return {
    all,
    placeOf(font) {
      const name =
        font === 0 ? '' : String(pdfium.bytes('FPDFFont_GetBaseFontName', font)).replace(/\0[\s\S]*$/, '');
      const embedded = font !== 0 && pdfium.call('FPDFFont_GetIsEmbedded', font) === 1;
      const key = `${name} ${embedded}`;
      const place = places.get(key) ?? all.push({ name: name.slice(0, nameMax), embedded }) - 1;
      if (place >= fontsMax) throw new TooComplex();
      places.set(key, place);
      return place;
    },
  };
}

const nameMax = 200;
