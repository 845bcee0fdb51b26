import type { LookResult, PictureKind } from '#contract/enums.ts';
import { bsnSpecimen } from '../bsn/specimens.ts';
import type { Canvas } from '../canvas.ts';
import { drawn } from '../card.ts';
import { type Person, people } from '../people.ts';
import { photograph } from '../photograph.ts';
import { type VariantName, variantNames, variants } from '../variants.ts';
import { withPortrait } from '../with-portrait.ts';
import { bankCard, letter } from './papers.ts';
import { blank, closeFace, faces, gradient, noise, wall } from './scenes.ts';

/** A picture, what was asked for, and what a quick look should find. */
export type LookCase = {
  name: string;
  kind: PictureKind;
  jpeg: Buffer;
  expected: readonly LookResult[];
  /** Which specimen it is. */
  detail: string;
};

/** Pictures that no reader can read well. To ask for a better one is right. */
const hard: readonly VariantName[] = [
  ...(['out of focus by 3 pixels', 'out of focus by 5 pixels', 'a lamp over the zone'] as const),
  'small, 18 pixels a character',
];

/** All pictures of the measurement. No real person and no real document is on any of them. */
export async function* lookCases(sizes: { specimens: number; people: number }): AsyncGenerator<LookCase> {
  yield* scenes();
  yield* papers();
  yield* drawings(people.slice(0, sizes.people));
  yield* specimens(sizes.specimens);
}

async function* scenes(): AsyncGenerator<LookCase> {
  const documents: PictureKind[] = ['passport_page', 'card_front', 'card_back'];
  for (const [detail, make] of Object.entries({ noise, wall, gradient, blank }))
    for (const kind of documents)
      yield {
        name: 'noise or a wall as a document',
        kind,
        jpeg: await make(),
        expected: ['no_document'],
        detail,
      };
  for (const [detail, make] of Object.entries({ noise, wall, gradient, blank }))
    yield {
      name: 'noise or a wall as a selfie',
      kind: 'selfie',
      jpeg: await make(),
      expected: ['no_face'],
      detail,
    };
  for (const wide of [300, 500, 700, 900]) {
    const detail = `${wide} pixels wide`;
    const one = await faces([wide]);
    yield { name: 'a face as a selfie', kind: 'selfie', jpeg: one, expected: ['fine'], detail };
    const two = await faces([Math.min(wide, 700), Math.min(wide, 700) * 0.9]);
    yield { name: 'two faces', kind: 'selfie', jpeg: two, expected: ['several_faces'], detail };
    yield {
      name: 'a face as a passport',
      kind: 'passport_page',
      jpeg: one,
      expected: ['no_document', 'no_zone'],
      detail,
    };
  }
  const detail = 'as wide as the picture';
  yield { name: 'a face as a selfie', kind: 'selfie', jpeg: await closeFace(), expected: ['fine'], detail };
}

/** Text without a portrait and without a zone. */
async function* papers(): AsyncGenerator<LookCase> {
  for (const [detail, paper] of Object.entries({ letter: letter(), 'bank card': bankCard() }))
    for (const variant of variantNames)
      yield {
        name: 'a letter or a bank card as a front',
        kind: 'card_front',
        jpeg: await photograph(paper, variants[variant]),
        expected: ['no_document'],
        detail: `${detail}, ${variant}`,
      };
}

async function* drawings(persons: readonly Person[]): AsyncGenerator<LookCase> {
  for (const person of persons)
    for (const variant of variantNames) {
      yield* goodDrawings(person, variant);
      if (!hard.includes(variant)) yield* wrongDrawings(person, variant);
    }
}

async function* goodDrawings(person: Person, variant: VariantName): AsyncGenerator<LookCase> {
  const isHard = hard.includes(variant);
  const expected: LookResult[] = isHard ? ['fine', 'unreadable', 'no_zone'] : ['fine'];
  const name = isHard ? 'a drawing that is hard to read' : 'a drawing';
  const sides: [Canvas | null, PictureKind][] = [
    [drawn({ person, format: 'TD3' }).front, 'passport_page'],
    [drawn({ person, format: 'TD2' }).front, 'card_front'],
    [await withPortrait(drawn({ person, format: 'TD1' }).front), 'card_front'],
    [drawn({ person, format: 'TD1' }).back, 'card_back'],
  ];
  for (const [index, [side, kind]] of sides.entries()) {
    if (side === null) continue;
    const jpeg = await photograph(side, variants[variant]);
    yield { name, kind, jpeg, expected, detail: `${person.surname}, ${variant}, side ${index}` };
  }
}

async function* wrongDrawings(person: Person, variant: VariantName): AsyncGenerator<LookCase> {
  const detail = `${person.surname}, ${variant}`;
  const { back } = drawn({ person, format: 'TD1' });
  const old = drawn({ person: { ...person, expiry: '2026-11-20' }, format: 'TD3' }).front;
  if (back === null) return;
  const jpeg = await photograph(back, variants[variant]);
  yield { name: 'a back as a front', kind: 'card_front', jpeg, expected: ['wrong_side'], detail };
  yield { name: 'a card as a passport', kind: 'passport_page', jpeg, expected: ['other_document'], detail };
  const expired = await photograph(old, variants[variant]);
  yield { name: 'an expired passport', kind: 'passport_page', jpeg: expired, expected: ['expired'], detail };
}

async function* specimens(count: number): AsyncGenerator<LookCase> {
  for (let index = 0; index < count; index++) {
    const { name: detail, kind: document, front, back } = await bsnSpecimen(index);
    const isPassport = document.startsWith('passport');
    const name = `a specimen: ${document}`;
    const kind = isPassport ? 'passport_page' : 'card_front';
    yield { name, kind, jpeg: front, expected: ['fine'], detail };
    if (isPassport || back === null) continue;
    yield { name: `${name}, back`, kind: 'card_back', jpeg: back, expected: ['fine'], detail };
    yield {
      name: 'a specimen: a front as a back',
      kind: 'card_back',
      jpeg: front,
      expected: ['wrong_side'],
      detail,
    };
  }
}
