/** Numbers that begin with 9999 belong to no person: they are for tests. */
export function bsnFrom(random: () => number): string {
  for (;;) {
    const digits = `9999${String(Math.floor(random() * 100_000)).padStart(5, '0')}`;
    const sum = [9, 8, 7, 6, 5, 4, 3, 2, -1].reduce(
      (total, weight, i) => total + weight * Number(digits[i]),
      0,
    );
    if (sum % 11 === 0) return digits;
  }
}
