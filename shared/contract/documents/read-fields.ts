import { z } from 'zod';

/** What the zone of a document says of its holder and of itself. Its optional data, where a BSN can stand, are none of them. */
export const readFieldNames = [
  'surname',
  'given_names',
  'document_number',
  'birth_date',
  'expiry_date',
  'sex',
  'nationality',
  'issuing_state',
] as const;

export const readSides = ['front', 'back'] as const;

/** A share of the width or the height of a picture. What is cut off by its edge lies a little outside. */
const share = z.number().min(-0.5).max(1.5);

/** Where something is on a picture: the corners of a shape, in order. */
const Place = z.strictObject({
  side: z.enum(readSides),
  corners: z.array(z.tuple([share, share])).length(4),
});

const ReadField = z.strictObject({
  field: z.enum(readFieldNames),
  /** As the zone writes it, with spaces for its fillers. A date is DD-MM-YY. */
  value: z.string().min(1).max(60),
  /** True if both readers agree on every character. */
  agreed: z.boolean(),
  /** Whether the print has the same value. Null where nothing was compared. */
  inPrint: z.boolean().nullable(),
  zone: Place,
  /** Where the print has it. */
  print: z.array(Place).max(6),
});

/**
 * What was read of a document where, for the member who decides. `ratios` are the widths of its pictures divided by their heights, front first.
 * Without a zone there are no fields. Sealed values live for weeks, so a later version must still read this shape.
 */
export const ReadDocument = z.strictObject({
  ratios: z.array(z.number().positive()).max(2),
  fields: z.array(ReadField).max(readFieldNames.length),
});

export type ReadDocument = z.output<typeof ReadDocument>;
export type ReadPlace = z.output<typeof Place>;
export type ReadField = z.output<typeof ReadField>;
export type ReadFieldName = ReadField['field'];
