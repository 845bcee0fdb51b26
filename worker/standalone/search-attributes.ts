import { searchAttributes } from '#contract/workflows.ts';

const cliTypes = { KEYWORD: 'Keyword', INT: 'Int', DATETIME: 'Datetime' };

/** The search attributes for the command line of the server. The server registers them before it accepts its first call. */
export const cliSearchAttributes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(searchAttributes).map(({ name, type }) => [name, cliTypes[type]]),
);
