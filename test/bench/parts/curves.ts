type Curves = {
  title: string;
  /** What the right end of the horizontal axis means. */
  ending: string;
  samples: readonly { at: number; values: Record<string, number> }[];
};

const [width, height, margin] = [720, 260, 44];
/** The colours also differ in lightness, for readers who see few colours. */
const strokes = ['#0b5394', '#e69138', '#38761d', '#a64d79', '#666666'];

/** Draws lines as an SVG picture. Zero is at the bottom, and each line has its name at its end. */
export function curves({ title, ending, samples }: Curves): string {
  const names = Object.keys(samples[0]?.values ?? {});
  const last = samples.at(-1)?.at || 1;
  const highest = Math.max(1, ...samples.flatMap(({ values }) => Object.values(values))) * 1.1;
  const x = (at: number) => margin + (at / last) * (width - margin - 110);
  const y = (value: number) => height - margin - (value / highest) * (height - 2 * margin);
  const lines = names.map((name, n) => {
    const points = samples.map(({ at, values }) => `${x(at).toFixed(1)},${y(values[name] ?? 0).toFixed(1)}`);
    const end = samples.at(-1)?.values[name] ?? 0;
    const stroke = strokes[n % strokes.length];
    return (
      `<polyline fill="none" stroke="${stroke}" stroke-width="1.5" points="${points.join(' ')}"/>` +
      `<text x="${x(last) + 6}" y="${y(end) + 4}" fill="${stroke}">${name} ${end.toFixed(0)}</text>`
    );
  });
  const axis = [0, highest / 2, highest].map(
    (value) =>
      `<line x1="${margin}" x2="${x(last)}" y1="${y(value)}" y2="${y(value)}" stroke="#dddddd"/>` +
      `<text x="4" y="${y(value) + 4}">${value.toFixed(0)}</text>`,
  );
  const end = `<text x="${x(last)}" y="${height - 18}" text-anchor="end">${ending}</text>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">` +
    `<title>${title}</title><rect width="${width}" height="${height}" fill="white"/><text x="${margin}" y="20" font-size="14">${title}</text>` +
    `${axis.join('')}${lines.join('')}${end}</svg>\n`
  );
}
