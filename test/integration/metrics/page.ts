import { request } from 'undici';

export type Sample = { name: string; labels: Record<string, string>; value: number };

/** Requests a page of metrics, and returns its families by name and its samples. */
export async function scrape(url: string) {
  const { statusCode, headers, body } = await request(url);
  const text = await body.text();
  const families = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
  const samples = [...text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name = '', labels = '', value]): Sample => ({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]),
      ),
      value: Number(value),
    }),
  );
  /** The sum over the samples of this name that carry these labels. */
  const sum = (name: string, labels: Record<string, string> = {}): number =>
    samples
      .filter((sample) => sample.name === name)
      .filter((sample) => Object.entries(labels).every(([key, text]) => sample.labels[key] === text))
      .reduce((total, { value }) => total + value, 0);
  return { statusCode, type: String(headers['content-type']), text, families, samples, sum };
}
