/**
 * OCR-B is the font of machine-readable zones (ICAO Doc 9303). `ocr-b.png` contains its glyphs, drawn by
 * `test/support/specimens/draw-glyphs.ts`. The source is the font of Norbert Schwarz and Matthew Skala (Debian's package
 * fonts-ocr-b). The font is in the public domain, for everybody to "freely use, modify and/or distribute, without limitation".
 */
export const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<';

/**
 * The size of a glyph in `ocr-b.png`, in pixels. The width of a glyph is the pitch of the font. A row of the file has `columns`
 * glyphs.
 */
export const cell = { width: 48, height: 62 } as const;
export const columns = 16;
