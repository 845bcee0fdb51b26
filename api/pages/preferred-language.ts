/**
 * Returns the language that a browser prefers of those that are offered, by its header Accept-Language (RFC 9110, 12.5.4). If the
 * browser names no language, it is the first one. Undefined if the browser names others only.
 */
export function preferredLanguage<Offered extends string>(
  offered: readonly Offered[],
  header: string | undefined,
): Offered | undefined {
  if (header === undefined || header.trim() === '') return offered[0];
  const wished = header
    .split(',')
    .map(wishOf)
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  for (const { tag } of wished) {
    const found =
      tag === '*' ? offered[0] : offered.find((each) => tag === each || tag.startsWith(`${each}-`));
    if (found !== undefined) return found;
  }
  return undefined;
}

function wishOf(text: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = text.toLowerCase().split(';');
  const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
  return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight) };
}
