export const pictureFaults = [
  'not_a_picture',
  'incomplete',
  'too_large',
  'too_small',
  'too_dark',
  'blurred',
  'glare',
] as const;
export type PictureFault = (typeof pictureFaults)[number];

/** A document must be legible. A portrait may be less sharp and may contain bright areas. */
export type PictureKind = 'document' | 'portrait';

/** An upright JPEG in sRGB without metadata. It is encoded from the decoded pixels and contains no other data of the upload. */
export type Picture = { jpeg: Buffer };

/**
 * The longest side of the result, in pixels. If a document fills the picture, each character of its
 * machine-readable zone is at least 40 pixels wide.
 */
export const sideMax = 2400;

/** A PNG of a logo, drawn from the decoded pixels. */
export type Logo = { png: Buffer };

/** The largest logo, in pixels. It is shown at half that size, so it is sharp on fine screens. */
export const logoSides = { width: 480, height: 160 } as const;

/** Pure noise of that size takes less as a PNG of 256 colours. */
export const logoBytesMax = 128 * 1024;
