import type { ErrorCode } from '#contract/errors.ts';
import type { Refusal } from './state.ts';

/** What is known of a refused request. If Node could not read its headers, it is what the first bytes say. */
export type Asked = {
  method?: string | undefined;
  url?: string | undefined;
  headers: { 'accept-language'?: string | undefined; origin?: string | undefined };
};

/** Returns what writes a refusal as a page. Undefined if no person opens this address, so that the refusal is JSON. */
export type RefusalPages = (asked: Asked) => ((code: ErrorCode) => RefusalContent) | undefined;
export type RefusalContent = { headers: Record<string, string>; body: string };

/** Writes a refusal for programs in another form than that of REST. Undefined if this address has that form. */
export type RefusalForm = (refusal: Refusal, asked: Asked, requestId: string) => RefusalContent | undefined;
