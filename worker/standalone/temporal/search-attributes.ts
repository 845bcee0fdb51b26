import { searchAttributes } from '#contract/workflows.ts';

const cliTypes = { KEYWORD: 'Keyword', INT: 'Int', DATETIME: 'Datetime' };

/** The search attributes for the command line of the server, which registers them while it starts. */
export const cliSearchAttributes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(searchAttributes).map(({ name, type }) => [name, cliTypes[type]]),
);
