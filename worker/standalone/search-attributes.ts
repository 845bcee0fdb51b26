import { searchAttributes } from '#contract/workflows.ts';

const cliTypes = { KEYWORD: 'Keyword', INT: 'Int', DATETIME: 'Datetime' };

/** The search attributes as the server's command line takes them: known from its first moment, no cache to wait for. */
export const cliSearchAttributes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(searchAttributes).map(({ name, type }) => [name, cliTypes[type]]),
);
