/** What was measured of one create with one delivery. */
export type OfOneCreate = {
  /** Processor milliseconds of each part. */
  processor: Record<string, number>;
  /** Bytes in the tables of the product, indexes included. */
  rowBytes: number;
  /** Bytes of the histories of Temporal, until their retention ends. */
  historyBytes: number;
};

const rates = [10, 100, 1_000];
const counts = [1e6, 10e6, 100e6];
/** So busy a processor may be for long, with room for a burst. */
const share = 0.7;
const daySeconds = 86_400;

const rowOf = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
const gigabytes = (bytes: number) => (bytes / 1e9).toLocaleString('en', { maximumSignificantDigits: 2 });
const inWords = (count: number) => `${count / 1e6} million`;

/** The processors for some rates, and the room for some numbers of verifications, as Markdown. */
export function capacityTables({ processor, rowBytes, historyBytes }: OfOneCreate): string {
  const parts = Object.entries(processor);
  const all = parts.reduce((sum, [, ms]) => sum + ms, 0);
  const processors = (ms: number) =>
    rates.map((rate) => ((ms * rate) / 1_000 / share).toLocaleString('en', { maximumFractionDigits: 1 }));
  return [
    rowOf([
      'part',
      'ms of a create',
      ...rates.map((rate) => `processors for ${rate.toLocaleString('en')} a second`),
    ]),
    rowOf(Array(2 + rates.length).fill('---')),
    ...[...parts, ['in all', all] as const].map(([name, ms]) =>
      rowOf([name, ms.toFixed(1), ...processors(ms)]),
    ),
    '',
    rowOf(['what is kept', 'bytes of a create', ...counts.map((count) => `GB for ${inWords(count)}`)]),
    rowOf(Array(2 + counts.length).fill('---')),
    rowOf(['rows and indexes', rowBytes.toFixed(0), ...counts.map((count) => gigabytes(count * rowBytes))]),
    '',
    rowOf([
      'what is kept',
      'bytes of a create',
      ...rates.map((rate) => `GB a day at ${rate.toLocaleString('en')} a second`),
    ]),
    rowOf(Array(2 + rates.length).fill('---')),
    rowOf([
      "Temporal's histories",
      historyBytes.toFixed(0),
      ...rates.map((rate) => gigabytes(rate * daySeconds * historyBytes)),
    ]),
  ].join('\n');
}
