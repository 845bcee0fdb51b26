import { type Asset, assetOf, withDigest } from './assets.ts';
import { accentOf, type Colour } from './contrast.ts';

/** The accent of pages whose organisation has chosen none is in the shared style sheet. */
function styleOf(colour: Colour): string {
  const { fill, ink, strong } = accentOf(colour);
  const tokens = (shade: Colour) => `:root{--accent:${fill};--accent-ink:${ink};--accent-strong:${shade}}`;
  return `${tokens(strong.light)}\n@media (prefers-color-scheme:dark){${tokens(strong.dark)}}\n`;
}

const named = /^accent-([0-9a-f]{6})\.css$/;

/**
 * The style sheet of an accent. It follows from the colour in its name alone, so no text of an organisation can reach a style sheet.
 * Undefined if the name is no such name.
 */
export function accentSheet(name: string): Asset | undefined {
  const colour = named.exec(name)?.[1];
  return colour === undefined ? undefined : assetOf(name, Buffer.from(styleOf(`#${colour}`)));
}

/** The name of the style sheet of this colour, with its digest. Undefined if the text is no colour. */
export function accentSheetName(colour: string): string | undefined {
  const name = `accent-${colour.slice(1)}.css`;
  const sheet = accentSheet(name);
  return sheet && withDigest(name, sheet);
}
