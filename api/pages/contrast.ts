/** A colour as "#rrggbb", in lower case. */
export type Colour = string;

type Channels = [red: number, green: number, blue: number];

/** The surfaces on which the pages write in the accent: the darkest one of light mode, and the lightest one of dark mode. */
export const surfaces = { light: '#f4f5f7', dark: '#1b222a' } as const;

/** WCAG 2.2 AA for text (1.4.3). It is more than a focus ring needs (1.4.11). */
export const contrastMin = 4.5;

export type Accent = {
  /** As the organisation chose it: the fill of the main button. */
  fill: Colour;
  /** The text on the fill: black or white. One of them has enough contrast on every colour. */
  ink: Colour;
  /** The nearest shade that can be read on the surfaces of light and of dark mode: links, borders, the focus ring. */
  strong: { light: Colour; dark: Colour };
};

/** Computes what can be read, whatever colour an organisation chose. */
export const accentOf = (fill: Colour): Accent => ({
  fill,
  ink: contrast(fill, '#ffffff') >= contrastMin ? '#ffffff' : '#000000',
  strong: {
    light: legible(fill, surfaces.light, '#000000'),
    dark: legible(fill, surfaces.dark, '#ffffff'),
  },
});

/** The contrast of two colours by WCAG, from 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const mixSteps = 50;

/** Mixes the colour with `end`, step by step, until it can be read on the surface. */
function legible(colour: Colour, surface: Colour, end: Colour): Colour {
  const shades = Array.from({ length: mixSteps + 1 }, (_, step) => mixed(colour, end, step / mixSteps));
  return shades.find((shade) => contrast(shade, surface) >= contrastMin) ?? end;
}

const channelsOf = (colour: Colour): Channels =>
  [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16)) as Channels;

const mixed = (colour: Colour, end: Colour, share: number): Colour => {
  const target = channelsOf(end);
  const channels = channelsOf(colour).map((value, i) =>
    Math.round(value + ((target[i] as number) - value) * share),
  );
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
};

function luminance(colour: Colour): number {
  const [red, green, blue] = channelsOf(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
