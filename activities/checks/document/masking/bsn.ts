/**
 * The Dutch citizen service number (BSN) in text that a reader took from a picture. It has nine digits, and the test of eleven holds
 * for them.
 */

const weights = [9, 8, 7, 6, 5, 4, 3, 2, -1];
const digitsOfBsn = weights.length;

/** True for nine digits for which the test of eleven holds. */
export function isBsn(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || /^0+$/.test(digits)) return false;
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return sum % 11 === 0;
}

/** Characters that readers of text confuse with a digit. */
const alike: Readonly<Record<string, string>> = {
  ...{ O: '0', o: '0', D: '0', Q: '0', C: '0', U: '0', Ø: '0' },
  ...{ I: '1', i: '1', l: '1', L: '1', '|': '1', '!': '1', J: '1', j: '1', ']': '1', '[': '1' },
  ...{ Z: '2', z: '2', E: '3', A: '4', h: '4', S: '5', s: '5', $: '5' },
  ...{ G: '6', b: '6', T: '7', Y: '7', '?': '7', B: '8', '&': '8', g: '9', q: '9', P: '9' },
};

/** True for a digit, and for a character that a reader may have read for one. */
export const mayBeDigit = (character: string): boolean => /\d/.test(character) || character in alike;

/** Signs that may stand between the digits of a number. */
const separator = /[\s.,·:;_'’"*/\\-]/;

/** At least this number of the nine characters must be real digits, since words consist of look-alikes too. */
const realDigitsMin = 5;

/**
 * The BSNs that may stand in a text. Look-alikes count as digits, and signs between digits are ignored. Parts of longer numbers count
 * too, since a reader may add a character.
 */
export function bsnsIn(text: string): string[] {
  return runsOf(text).flatMap((run) =>
    Array.from({ length: Math.max(run.length - digitsOfBsn + 1, 0) }, (_, start) =>
      run.slice(start, start + digitsOfBsn),
    )
      .filter((places) => places.filter(({ isReal }) => isReal).length >= realDigitsMin)
      .map((places) => places.map(({ digit }) => digit).join(''))
      .filter(isBsn),
  );
}

type Place = { digit: string; isReal: boolean };

function runsOf(text: string): Place[][] {
  const runs: Place[][] = [[]];
  for (const character of text) {
    if (separator.test(character)) continue;
    const isReal = /\d/.test(character);
    const digit = isReal ? character : alike[character];
    if (digit === undefined) runs.push([]);
    else runs.at(-1)?.push({ digit, isReal });
  }
  return runs;
}

/** The number of characters of a word from which it counts as a number if every character looks like a digit. */
const alikeWordMin = 4;

/** True if a text has a digit, or a word in which every character could be a digit that was read as a letter. */
export const mayHoldDigits = (text: string): boolean =>
  /\d/.test(text) ||
  text
    .split(/[^\p{L}\p{N}|!$&?]+/u)
    .some((word) => word.length >= alikeWordMin && Array.from(word).every((sign) => sign in strongAlike));

/** The look-alikes that leave few words. With all of `alike`, names such as PALACIO would count as numbers. */
const strongAlike: Readonly<Record<string, true>> = Object.fromEntries(
  Array.from('OoDQIil|!ZzSs$GbB&gq', (sign) => [sign, true]),
);
