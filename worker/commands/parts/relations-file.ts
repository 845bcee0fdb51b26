import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { exitCodes, StartFault } from '#platform/failures.ts';

/** The text in place of a date that says that the relationship goes on. */
const continues = 'continues';

/** `endedOn` is the last day of the relationship. Null means that the relationship goes on. */
export type ReportOfFile = ({ id: string } | { reference: string }) & { endedOn: string | null };

const date = z
  .union([z.iso.date(), z.literal(continues)])
  .transform((given) => (given === continues ? null : given));

const Row = z.union([
  z.strictObject({ id: z.uuid(), date }).transform(({ id, date }) => ({ id, endedOn: date })),
  z
    .strictObject({ reference: z.string().min(1), date })
    .transform(({ reference, date }) => ({ reference, endedOn: date })),
]);

/**
 * Reads reports from a file, or from standard input if the name is `-`. The file is CSV with a line of names, or has a JSON object in
 * each line. Throws a StartFault that names the first wrong row.
 */
export async function readReports(name: string): Promise<ReportOfFile[]> {
  const content = await (name === '-' ? text(process.stdin) : readFile(name, 'utf8')).catch(
    (error: NodeJS.ErrnoException) => {
      throw new StartFault(`The file cannot be read (${error.code}).`, exitCodes.unavailable);
    },
  );
  const rows = content.trimStart().startsWith('{') ? jsonLines(content) : csvRows(content);
  return rows.map((row, i) => {
    const parsed = Row.safeParse(row);
    if (parsed.success) return parsed.data;
    throw malformed(
      `Row ${i + 1} is not right: it needs the id of a verification, or a reference, and a date (YYYY-MM-DD or "${continues}").`,
    );
  });
}

function csvRows(content: string): unknown[] {
  try {
    return parse(content, { columns: true, bom: true, trim: true, skip_empty_lines: true });
  } catch (error) {
    if (error instanceof CsvError) throw malformed(`The file is no CSV (${error.code}).`);
    throw error;
  }
}

const jsonLines = (content: string): unknown[] =>
  content
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, i) => {
      try {
        return JSON.parse(line);
      } catch {
        throw malformed(`Row ${i + 1} is no JSON.`);
      }
    });

/** The message repeats no value of the file, since a reference can be personal. */
const malformed = (message: string) => new StartFault(message, exitCodes.usage);
