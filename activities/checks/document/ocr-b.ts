/**
 * OCR-B, in which ICAO Doc 9303 has machine-readable zones printed. Its glyphs are `ocr-b.png`, drawn by
 * `test/support/specimens/draw-glyphs.ts` from the font of Norbert Schwarz and Matthew Skala (Debian's package fonts-ocr-b),
 * public domain and "freely use, modify and/or distribute, without limitation".
 */
export const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<';

/** What a glyph takes up in the picture, in pixels: as wide as the font's pitch. So many stand in a row. */
export const cell = { width: 48, height: 62 } as const;
export const columns = 16;
