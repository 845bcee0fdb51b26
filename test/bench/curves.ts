type Curves = { title: string; samples: readonly { atSeconds: number; values: Record<string, number> }[] };

const [width, height, margin] = [720, 260, 44];
/** The colours also differ in lightness, for readers who see few colours. */
const strokes = ['#0b5394', '#e69138', '#38761d', '#a64d79', '#666666'];

/** Draws lines over time as an SVG picture. Zero is at the bottom, and each line has its name at its end. */
export function curves({ title, samples }: Curves): string {
  const names = Object.keys(samples[0]?.values ?? {});
  const lastSecond = samples.at(-1)?.atSeconds || 1;
  const highest = Math.max(1, ...samples.flatMap(({ values }) => Object.values(values))) * 1.1;
  const x = (seconds: number) => margin + (seconds / lastSecond) * (width - margin - 110);
  const y = (value: number) => height - margin - (value / highest) * (height - 2 * margin);
  const lines = names.map((name, n) => {
    const points = samples.map(
      ({ atSeconds, values }) => `${x(atSeconds).toFixed(1)},${y(values[name] ?? 0).toFixed(1)}`,
    );
    const last = samples.at(-1)?.values[name] ?? 0;
    const stroke = strokes[n % strokes.length];
    return (
      `<polyline fill="none" stroke="${stroke}" stroke-width="1.5" points="${points.join(' ')}"/>` +
      `<text x="${x(lastSecond) + 6}" y="${y(last) + 4}" fill="${stroke}">${name} ${last.toFixed(0)}</text>`
    );
  });
  const axis = [0, highest / 2, highest].map(
    (value) =>
      `<line x1="${margin}" x2="${x(lastSecond)}" y1="${y(value)}" y2="${y(value)}" stroke="#dddddd"/>` +
      `<text x="4" y="${y(value) + 4}">${value.toFixed(0)}</text>`,
  );
  const minutes = `<text x="${x(lastSecond) - 30}" y="${height - 18}">${(lastSecond / 60).toFixed(0)} min</text>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">` +
    `<title>${title}</title><rect width="${width}" height="${height}" fill="white"/><text x="${margin}" y="20" font-size="14">${title}</text>` +
    `${axis.join('')}${lines.join('')}${minutes}</svg>\n`
  );
}
