/** The value of a polynomial. The first factor is its value at 0. */
export const polynomial = (factors: readonly number[], u: number): number =>
  factors.reduceRight((sum, factor) => sum * u + factor, 0);

/** A value at `u`, and how much it counts. */
export type Measured = { u: number; value: number; weight: number };

/** The polynomial with so many factors that lies nearest to values, by weighted least squares. */
export function fitted(values: readonly Measured[], factors: number): number[] {
  const rows = Array.from({ length: factors }, () => new Array<number>(factors + 1).fill(0));
  for (const { u, value, weight } of values)
    rows.forEach((row, i) => {
      for (let j = 0; j < factors; j++) row[j] = (row[j] ?? 0) + weight * u ** (i + j);
      row[factors] = (row[factors] ?? 0) + weight * value * u ** i;
    });
  return solved(rows);
}

/** Solves equations of a positive definite matrix by elimination. */
function solved(rows: number[][]): number[] {
  rows.forEach((pivot, column) => {
    const first = pivot[column] || 1e-12;
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = (row[column] ?? 0) / first;
      for (let i = column; i < row.length; i++) row[i] = (row[i] ?? 0) - factor * (pivot[i] ?? 0);
    }
  });
  return rows.map((row, index) => (row.at(-1) ?? 0) / (row[index] || 1e-12));
}
