/** An amount as a paper prints it. `signed` says whether a sign is printed. */
export type Amount = { cents: number; signed: boolean; decimals: boolean };

const minus = /^(?:-\/-|[-−–])|(?:-\/-|[-−–])$/;
/** Dutch and English notation: points and commas group thousands, and the other one stands before the cents. */
const notations = [
  { form: /^(\d{1,3}(?:\.\d{3})+|\d+),(\d{2})$/, group: /\./g },
  { form: /^(\d{1,3}(?:,\d{3})+|\d+)\.(\d{2})$/, group: /,/g },
  { form: /^(\d{1,3}(?:[.,]\d{3})+|\d+)(?:,-|\.-|,--)?$/, group: /[.,]/g },
];
const wholeDigitsMax = 9;

/** Reads an amount. A number without cents is one too, since annual statements have whole euros; `decimals` is false then. */
export function amountOf(text: string): Amount | undefined {
  if (text.length > textMax) return undefined;
  const { bare, isNegative, isPlus } = withoutSign(withoutCurrency(text));
  const plain = withoutCurrency(bare);
  for (const { form, group } of notations) {
    const [, euros, cents] = form.exec(plain) ?? [];
    const digits = euros?.replace(group, '') ?? '';
    if (digits === '' || digits.length > wholeDigitsMax) continue;
    const value = Number(digits) * 100 + Number(cents ?? 0);
    return {
      cents: isNegative ? -value : value,
      signed: isNegative || isPlus,
      decimals: cents !== undefined,
    };
  }
  return undefined;
}

/** A sign stands before or behind, or brackets stand around. The dash of `12,-` is none. */
function withoutSign(text: string): { bare: string; isNegative: boolean; isPlus: boolean } {
  const inBrackets = text.startsWith('(') && text.endsWith(')');
  const open = inBrackets ? text.slice(1, -1).trim() : text;
  const isWhole = /,-{1,2}$/.test(open) && !minus.test(open.replace(/,-{1,2}$/, ''));
  const isPlus = open.startsWith('+');
  const bare = isWhole ? open : open.replace(minus, '').trim();
  return {
    bare: isPlus ? bare.slice(1) : bare,
    isNegative: inBrackets || (!isWhole && minus.test(open)),
    isPlus,
  };
}

/** No amount is longer. */
const textMax = 40;

const withoutCurrency = (text: string): string =>
  text
    .trim()
    .replace(/^(?:€|EUR)/i, '')
    .replace(/(?:€|EUR)$/i, '')
    .trim();

/** Writes cents as a reviewer reads them. */
export const euros = (cents: number): string => {
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString('nl-NL');
  return `${cents < 0 ? '-' : ''}${whole},${String(Math.abs(cents) % 100).padStart(2, '0')}`;
};
