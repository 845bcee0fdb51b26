/** True for nine digits for which the test of eleven holds. */
export const bsnIsValid = (digits: string): boolean =>
  [9, 8, 7, 6, 5, 4, 3, 2, -1].reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0) % 11 === 0;

/** True if the bytes have the marker as it is, in hexadecimal, in base64 at whatever offset, or with zero bytes between its letters. */
export function spellingsIn(bytes: Buffer, marker: string | Buffer): boolean {
  const plain = Buffer.from(marker as string);
  const hex = plain.toString('hex');
  const spellings = [
    plain,
    ...(typeof marker === 'string' ? [Buffer.from(marker, 'utf16le')] : []),
    ...[hex, hex.toUpperCase()].map((text) => Buffer.from(text)),
    ...[0, 1, 2].flatMap((offset) => inBase64(plain, offset)),
  ];
  return spellings.some((spelling) => bytes.includes(spelling));
}

/** The part of the base64 text that depends on the marker alone, if so many other bytes come before it. */
function inBase64(plain: Buffer, offset: number): Buffer[] {
  const whole = Buffer.concat([Buffer.alloc(offset), plain]);
  const clean = whole.subarray(0, whole.length - (whole.length % 3));
  return (['base64', 'base64url'] as const).map((encoding) =>
    Buffer.from(clean.toString(encoding).slice(offset === 0 ? 0 : 4)),
  );
}
