import { z } from 'zod';
import { limits } from './limits.ts';

/** The number of rows on a page. A query string contains only text, so the number is parsed from digits. */
const pageLimit = ({ min, max, fallback }: { min: number; max: number; fallback: number }) =>
  z
    .string()
    .refine(
      (digits) => /^\d{1,9}$/.test(digits) && Number(digits) >= min && Number(digits) <= max,
      `must be an integer from ${min} to ${max}`,
    )
    .transform(Number)
    .default(fallback)
    .meta({
      override: { type: 'integer', minimum: min, maximum: max, default: fallback },
      description: 'The maximum number of rows on a page.',
    });

const startingAfter = z
  .string()
  .optional()
  .meta({
    description:
      'The id of the last row of the previous page. Without it the list starts with the newest row.',
    override: { type: 'string', format: 'uuid' },
  });

/** The query of GET /verifications (specification 4.1). An unknown parameter is refused, since it may be a spelling mistake. */
export const ListQuery = z.strictObject({
  limit: pageLimit({ min: 1, max: limits.listLimitMax, fallback: limits.listLimitDefault }),
  starting_after: startingAfter,
});
export type ListQuery = z.output<typeof ListQuery>;

/** The query of GET /webhooks. The default page is large enough for all active endpoints. */
export const WebhookListQuery = ListQuery.extend({
  limit: pageLimit({ min: 1, max: limits.webhookListLimitMax, fallback: limits.webhookListLimitMax }),
});

/** A page of a list, with the newest row first (specification 2.3; decision 19). */
export const listOf = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({
    object: z.literal('list'),
    data: z.array(row).describe('Newest first.'),
    has_more: z.boolean().describe('Whether there is another page.'),
    next_starting_after: z
      .string()
      .nullable()
      .describe('Send it as `starting_after` to get the next page. Null on the last page.'),
  });
