import type { EvidenceKind } from '#contract/enums.ts';
import type { Link } from '#services/flow/find-link.ts';
import type { Progress } from '../pages/components.ts';
import type { Texts } from './texts/texts.ts';

type Part = keyof Texts['shell']['parts'];

/** The parts of a walk, in the order in which a person meets them. The front and the back of a card are one part. */
const partsOf = ({ consents }: Pick<Link, 'consents'>): Part[] => [
  'start',
  ...(consents.includes('document') ? (['document'] as const) : []),
  ...(consents.includes('face') ? (['selfie'] as const) : []),
  ...(consents.includes('bank') ? (['bank'] as const) : []),
  ...(consents.includes('income') ? (['papers'] as const) : []),
  'send',
];

const partOfStep: Partial<Record<Link['step'], Part>> = {
  welcome: 'start',
  document: 'document',
  card_back: 'document',
  selfie: 'selfie',
  movements: 'selfie',
  bank: 'bank',
  papers: 'papers',
  confirm: 'send',
};

/** How far the person is. Undefined at the steps where the person has nothing to do. `kind` is the picture that the page asks for. */
export function progressOf(
  link: Pick<Link, 'consents' | 'step'>,
  kind: EvidenceKind | undefined,
  { parts }: Texts['shell'],
): Progress | undefined {
  const step =
    kind === undefined
      ? partOfStep[link.step]
      : kind === 'selfie' || kind === 'movements'
        ? 'selfie'
        : 'document';
  if (step === undefined) return undefined;
  const all = partsOf(link);
  return { current: all.indexOf(step) + 1, of: all.length, name: parts[step] };
}
