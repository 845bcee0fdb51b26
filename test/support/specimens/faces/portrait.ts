import type { Colour } from '#activities/checks/document/masking/colour.ts';
import type { Face } from '#activities/checks/document/masking/faces.ts';
import { cutOut } from '#activities/checks/document/masking/portrait.ts';
import { drawn } from '../card.ts';
import { eriksson } from '../people.ts';
import { photograph, type Variant } from '../photograph.ts';
import { withPortrait } from '../with-portrait.ts';

/** Takes a picture of a drawn passport whose portrait is this face. */
export async function documentWith(picture: Colour, face: Face, how: Variant): Promise<Buffer> {
  const { front } = drawn({ format: 'TD3', person: eriksson });
  return photograph(await withPortrait(front, await cutOut(picture, face)), how);
}
