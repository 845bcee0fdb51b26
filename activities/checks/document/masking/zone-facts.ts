import { digitsCheck } from '../judging/judge.ts';
import type { Field } from '../judging/parsed.ts';
import type { ZoneReadings } from '../judging/readings.ts';
import {
  agree,
  fieldOf,
  namesOf,
  numberOf,
  pairsOf,
  textOf,
  understood,
  type ZoneText,
} from '../judging/zone-text.ts';
import type { Row } from '../reading/row.ts';
import type { Point, Shape } from '../reading/shapes.ts';
import { bsnsIn } from './bsn.ts';

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

/** What a zone says, also where it is not sure: values that are no BSN if the print has them too. */
export type KnownValues = { number: string; dates: string[]; names: string[] };

/** A value counts if both readers agree on it. */
export function knownValues(zone: ZoneReadings | undefined): KnownValues {
  const text = zone && understood(zone);
  if (text === undefined) return { number: '', dates: [], names: [] };
  const isAgreed = (field: Field['field']) => {
    const found = fieldOf(text, field);
    return found !== undefined && pairsOf(text, [found]).every(agree);
  };
  const dates = (['birthDate', 'expirationDate'] as const)
    .filter(isAgreed)
    .map((field) => textOf(text, field));
  const { surname, given } = namesOf(text);
  return {
    number: isAgreed('documentNumber') ? numberOf(text) : '',
    dates: dates.filter((date) => /^\d{6}$/.test(date)),
    names: [surname, given].flatMap((name) => name.text.split(' ')).filter((name) => name !== ''),
  };
}

type Places = { line: number; from: number; to: number };

const places = (line: number, from: number, to: number): Places => ({ line, from, to });

/**
 * The optional data and the check digits that are calculated from them (ICAO Doc 9303, parts 4 to 6). The key is the number of places in a
 * line. `to` is the place after the last one.
 */
const optionalPlaces: Readonly<Record<number, readonly Places[]>> = {
  44: [places(1, 28, 44)],
  36: [places(1, 28, 36)],
  30: [places(0, 15, 30), places(1, 18, 30)],
};

const netherlands = 'NLD';

/**
 * Returns undefined if the two readers do not agree on the zone, or if its check digits do not hold. So it does for a visa and a driving
 * licence, whose zones say too little about what the print has.
 */
export function zoneFacts(zone: ZoneReadings): ZoneFacts | undefined {
  const text = understood(zone);
  const optional = optionalPlaces[zone.a[0]?.length ?? 0];
  if (text?.kind !== 'identity document' || optional === undefined) return undefined;
  if (digitsCheck(text).result !== 'passed') return undefined;
  const dates = [textOf(text, 'birthDate'), textOf(text, 'expirationDate')];
  return {
    isDutch: (['issuingState', 'nationality'] as const).some((name) => mayBeDutch(text, name)),
    number: numberOf(text),
    dates: dates.filter((date) => date !== ''),
    bsns: [text.a, text.b].flatMap((lines) =>
      optional.flatMap(({ line, from, to }) => bsnsIn(joined(lines[line]?.slice(from, to) ?? []))),
    ),
  };
}

/** Keeps every character at its place: one that was not read does not move the others. */
const joined = (characters: readonly string[]) => characters.map((character) => character || '<').join('');

/** True if a field names the Netherlands but for one character, or if the readers do not agree on it. */
function mayBeDutch(text: ZoneText, name: 'issuingState' | 'nationality'): boolean {
  const field = fieldOf(text, name);
  if (field === undefined) return false;
  const differing = Array.from(netherlands).filter((letter, index) => textOf(text, name)[index] !== letter);
  return differing.length <= 1 || !pairsOf(text, [field]).every(agree);
}

/** How far a cover of the zone reaches, in heights of a glyph from the middle of the line and in places. */
const reach = { level: 0.85, place: 0.6 } as const;

/** How many places more are covered on both sides if the zone was not read for sure, since its places may be one or two beside. */
const unsurePlaces = 2;

/** The shapes of the optional data in a zone, and of all else in it. */
export function zoneShapes(rows: readonly Row[], isUnsure = false): { optional: Shape[]; rest: Shape[] } {
  const count = rows[0]?.places.length ?? 0;
  const optional = optionalPlaces[count];
  if (optional === undefined) return { optional: [], rest: [] };
  const shapes = (parts: readonly Places[], margin: number) =>
    parts.flatMap(({ line, from, to }) => {
      const row = rows[line];
      return row === undefined ? [] : [shapeIn(row, from - margin, to - 1 + margin)];
    });
  const rest = rows.map((_, line) => {
    const first = optional.find((part) => part.line === line);
    return places(line, 0, first?.from ?? count);
  });
  const margin = reach.place + (isUnsure ? unsurePlaces : 0);
  return { optional: shapes(optional, margin), rest: shapes(rest, 0.4) };
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
