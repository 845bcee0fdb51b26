import type { z } from 'zod';

/** What a schema parses to. A schema without fields adds nothing; Zod's own answer for it forbids every field. */
export type FieldsOf<Schema extends z.ZodObject> = keyof Schema['shape'] extends never
  ? unknown
  : z.output<Schema>;

/** No condition if the verb's input has every field that its row parses; else an error that names the fields it ignores. */
export type TakesAll<Input, Parsed> =
  Exclude<keyof Parsed, keyof Input> extends never
    ? unknown
    : { ignored: Exclude<keyof Parsed, keyof Input> };
