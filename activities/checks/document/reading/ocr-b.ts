/** The characters of machine-readable zones (ICAO Doc 9303). They are printed in the font OCR-B. */
export const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<';

/** The proportions of the place of a character. Its width is the pitch of the font. */
export const cell = { width: 48, height: 62 } as const;
