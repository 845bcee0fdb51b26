import type { ReadDocument, ReadField, ReadPlace } from '#contract/documents/read-fields.ts';
import type { FoundField, ZonePlaces } from './judging/fields.ts';
import type { PrintLine } from './judging/readings.ts';
import type { Line } from './reading/grey.ts';
import type { Row } from './reading/row.ts';
import { type Shape, shapeOf } from './reading/shapes.ts';

/** Where things are on the pictures of a document, in pixels. The first side is the front. */
export type Places = {
  sizes: readonly { width: number; height: number }[];
  zone: { side: number; rows: readonly Row[] } | undefined;
  print: ReadonlyMap<PrintLine, Line>;
};

/** The margins around a line of print, and how far a shape in the zone reaches above and below the middle of its line. */
const margins = [0.25, 0] as const;
const reach = 0.75;

/** Says where on the pictures the fields are. */
export const placedFields = (fields: readonly FoundField[], places: Places): ReadDocument => ({
  ratios: places.sizes.map(({ width, height }) => width / height),
  fields: fieldsIn(fields, places),
});

function fieldsIn(fields: readonly FoundField[], places: Places): ReadField[] {
  return fields.flatMap(({ field, value, agreed, at, print }): ReadField[] => {
    const zone = zonePlace(at, places);
    if (zone === undefined) return [];
    const lines = [...new Set(print)].slice(0, linesMax);
    const found = lines.flatMap((each) => printPlace(each, places) ?? []);
    return [
      {
        ...{ field, value: value.slice(0, valueMax), agreed, zone, print: found },
        inPrint: print === undefined ? null : print.length > 0,
      },
    ];
  });
}

const valueMax = 60;
const linesMax = 6;

function zonePlace({ line, start, end }: ZonePlaces, { zone, sizes }: Places): ReadPlace | undefined {
  const row = zone?.rows[line];
  if (zone === undefined || row === undefined || end <= start) return undefined;
  const [from, to] = [start - 0.5, end - 0.5];
  const shape: Shape = [row.at(from, -reach), row.at(to, -reach), row.at(to, reach), row.at(from, reach)];
  return placeOf(shape, zone.side, sizes);
}

function printPlace(line: PrintLine, { print, sizes }: Places): ReadPlace | undefined {
  const found = print.get(line);
  return found && placeOf(shapeOf(found, ...margins), line.side, sizes);
}

function placeOf(shape: Shape, side: number, sizes: Places['sizes']): ReadPlace | undefined {
  const size = sizes[side];
  if (size === undefined) return undefined;
  const share = (value: number, of: number) =>
    Math.min(Math.max(Math.round((value / of) * 10_000) / 10_000, -0.5), 1.5);
  return {
    side: side === 0 ? 'front' : 'back',
    corners: shape.map(([x, y]): [number, number] => [share(x, size.width), share(y, size.height)]),
  };
}
