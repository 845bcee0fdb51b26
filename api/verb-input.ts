import type { z } from 'zod';

/** What a schema parses to. A schema without fields gives `unknown`, since the type that Zod gives it forbids every field. */
export type FieldsOf<Schema extends z.ZodObject> = keyof Schema['shape'] extends never
  ? unknown
  : z.output<Schema>;

/** If the verb's input has every parsed field, this type adds no condition. If not, the compile error names the ignored fields. */
export type TakesAll<Input, Parsed> =
  Exclude<keyof Parsed, keyof Input> extends never
    ? unknown
    : { ignored: Exclude<keyof Parsed, keyof Input> };
