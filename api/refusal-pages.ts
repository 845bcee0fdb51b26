import type { ErrorCode } from '#contract/errors.ts';

/** What is known of a refused request. If Node could not read its headers, it is what the first bytes say. */
export type Asked = {
  method?: string | undefined;
  url?: string | undefined;
  headers: { 'accept-language'?: string | undefined };
};

/** Returns what writes a refusal as a page. Undefined if no person opens this address, so that the refusal is JSON. */
export type RefusalPages = (asked: Asked) => ((code: ErrorCode) => PageContent) | undefined;
export type PageContent = { headers: Record<string, string>; body: string };
