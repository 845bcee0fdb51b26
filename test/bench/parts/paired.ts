/** The means of A and B, and the mean of the differences B - A of their pairs with its 95 % confidence interval (Student's t). */
export type Difference = { a: number; b: number; mean: number; from: number; to: number };

export function differenceOf(a: readonly number[], b: readonly number[]): Difference {
  const differences = a.map((value, pair) => (b[pair] ?? Number.NaN) - value);
  const mean = meanOf(differences);
  const half = criticalValue(differences.length - 1) * standardError(differences);
  return { a: meanOf(a), b: meanOf(b), mean, from: mean - half, to: mean + half };
}

/** A difference is shown only if the whole confidence interval of B - A lies on one side of zero. */
export const verdictOf = ({ from, to }: Difference): string => {
  if (from > 0) return 'B takes more';
  return to < 0 ? 'B takes less' : 'no difference shown';
};

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function standardError(values: readonly number[]): number {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

/** The 97.5 % quantile of Student's t by the Cornish-Fisher expansion. From 5 degrees on, two digits after the point are right. */
export function criticalValue(degrees: number): number {
  const z = 1.959964;
  return (
    z +
    (z ** 3 + z) / (4 * degrees) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3)
  );
}
