import { createHash } from 'node:crypto';
import type { Page } from '#contract/income/papers.ts';

/** With fewer words, two papers could say the same by chance. */
const wordsMin = 12;

/**
 * A fingerprint of what the pages say, for papers that were saved again or written by another program. It is over the words that can be
 * seen, in any order, since programs draw them in different ones. Null if there is too little to compare.
 */
export function fingerprintOf(pages: readonly Page[]): string | null {
  const said = pages.map(({ words }) =>
    words
      .filter(({ hidden }) => hidden === null)
      .map(({ text }) => text.normalize('NFKC').toLowerCase())
      .toSorted()
      .join(' '),
  );
  if (said.join(' ').split(' ').length < wordsMin) return null;
  return createHash('sha256').update(said.join('\f')).digest('hex');
}
