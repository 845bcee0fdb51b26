import { randomBytes, randomInt } from 'node:crypto';

/** A text of so many random bytes. Nobody can guess one of 16 bytes or more. */
export const randomToken = (bytes: number, encoding: 'base64' | 'base64url' | 'hex' = 'base64url'): string =>
  randomBytes(bytes).toString(encoding);

/** A text of so many letters of the alphabet. Each letter is as likely as the others. */
export const randomLetters = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** One of these, each as likely as the others. */
export function oneOf<Item>(items: readonly [Item, ...Item[]]): Item {
  return items[randomInt(items.length)] ?? items[0];
}
