import type { Variant } from './photograph.ts';

/** The ways to photograph a specimen, from easy to unreadable. */
export const variants = {
  'straight on': {},
  'turned by 5 degrees': { turn: 5 },
  'turned by 12 degrees': { turn: -12 },
  'on its side': { turn: 90 },
  'on its other side': { turn: -90 },
  'upside down': { turn: 180 },
  'leaning back': { recede: 0.15, turn: 3 },
  'leaning far back': { recede: 0.3, turn: -3 },
  'JPEG of quality 15': { quality: 15 },
  'a fifth of the light': { light: 0.22, noise: 3 },
  'small, 18 pixels a character': { share: 0.45 },
  'out of focus by 1.5 pixels': { blur: 1.5 },
  'out of focus by 3 pixels': { blur: 3 },
  'out of focus by 5 pixels': { blur: 5 },
  'a lamp over the zone': { lamp: [0.5, 0.8] },
  'a lamp over the print': { lamp: [0.55, 0.4] },
} satisfies Record<string, Variant>;

export type VariantName = keyof typeof variants;
export const variantNames = Object.keys(variants) as VariantName[];
