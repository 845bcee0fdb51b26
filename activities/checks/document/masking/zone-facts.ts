import { judge } from '../judge.ts';
import { folded } from '../layout.ts';
import type { ZoneReadings } from '../readings.ts';
import type { Row } from '../row.ts';
import { bsnsIn } from './bsn.ts';
import type { Point, Shape } from './colour.ts';

/** What a machine-readable zone says that decides about covers. */
export type ZoneFacts = {
  /** True if the Netherlands issued the document or the holder is Dutch, and also if that was not read for sure. */
  isDutch: boolean;
  number: string;
  /** The dates of birth and of expiry, as YYMMDD. */
  dates: string[];
  /** The BSNs that may stand in the optional data. */
  bsns: string[];
};

type Places = { line: number; from: number; to: number };
type Layout = {
  state: Places;
  nationality: Places;
  number: Places;
  dates: Places[];
  /** The optional data and the check digits that are calculated from them. */
  optional: Places[];
};

const places = (line: number, from: number, to: number): Places => ({ line, from, to });

/** The places of ICAO Doc 9303, parts 4 to 6. The key is the number of places in a line. `to` is the place after the last one. */
const layouts: Readonly<Record<number, Layout>> = {
  44: {
    ...{ state: places(0, 2, 5), nationality: places(1, 10, 13), number: places(1, 0, 9) },
    ...{ dates: [places(1, 13, 19), places(1, 21, 27)], optional: [places(1, 28, 44)] },
  },
  36: {
    ...{ state: places(0, 2, 5), nationality: places(1, 10, 13), number: places(1, 0, 9) },
    ...{ dates: [places(1, 13, 19), places(1, 21, 27)], optional: [places(1, 28, 36)] },
  },
  30: {
    ...{ state: places(0, 2, 5), nationality: places(1, 15, 18), number: places(0, 5, 14) },
    ...{ dates: [places(1, 0, 6), places(1, 8, 14)], optional: [places(0, 15, 30), places(1, 18, 30)] },
  },
};

const netherlands = 'NLD';

/** Returns undefined if the two readers do not agree on the zone, or if its check digits do not hold. */
export function zoneFacts(zone: ZoneReadings): ZoneFacts | undefined {
  // The day matters for the expiry only.
  const isSure = judge({ zone, print: [], hasOtherZone: false, mayBeRecaptured: false }, '2000-01-01').some(
    ({ kind, result }) => kind === 'mrz_check_digits' && result === 'passed',
  );
  const layout = layouts[zone.a[0]?.length ?? 0];
  if (!isSure || layout === undefined) return undefined;
  const [a, b] = [folded(zone.a), folded(zone.b)];
  const text = (lines: string[][], { line, from, to }: Places) =>
    (lines[line] ?? []).slice(from, to).join('');
  const states = [layout.state, layout.nationality];
  return {
    isDutch: states.some((state) => text(a, state) !== text(b, state) || isLike(text(a, state), netherlands)),
    number: text(a, layout.number).replaceAll('<', ''),
    dates: layout.dates.map((date) => text(a, date)),
    bsns: [a, b].flatMap((lines) => layout.optional.flatMap((optional) => bsnsIn(text(lines, optional)))),
  };
}

/** True if at most one character differs. */
const isLike = (text: string, wanted: string) =>
  Array.from(wanted).filter((character, index) => text[index] !== character).length <= 1;

/** How far a cover of the zone reaches, in heights of a glyph from the middle of the line and in places. */
const reach = { level: 0.85, place: 0.6 } as const;

/** The shapes of the optional data in a zone, and of all else in it. */
export function zoneShapes(rows: readonly Row[]): { optional: Shape[]; rest: Shape[] } {
  const count = rows[0]?.places.length ?? 0;
  const layout = layouts[count];
  if (layout === undefined) return { optional: [], rest: [] };
  const shapes = (parts: readonly Places[], margin: number) =>
    parts.flatMap(({ line, from, to }) => {
      const row = rows[line];
      return row === undefined ? [] : [shapeIn(row, from - margin, to - 1 + margin)];
    });
  const rest = rows.map((_, line) => {
    const first = layout.optional.find((part) => part.line === line);
    return places(line, 0, first?.from ?? count);
  });
  return { optional: shapes(layout.optional, reach.place), rest: shapes(rest, 0.4) };
}

function shapeIn(row: Row, from: number, to: number): Shape {
  const corner = (place: number, level: number): Point => [...row.at(place, level)];
  return [
    corner(from, -reach.level),
    corner(to, -reach.level),
    corner(to, reach.level),
    corner(from, reach.level),
  ];
}
