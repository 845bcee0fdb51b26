import { z } from 'zod';
import { limits } from './limits.ts';

/** How many rows a page may have, as a query carries it: digits and nothing else. */
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
      description: 'How many rows a page has at most.',
    });

const startingAfter = z
  .string()
  .optional()
  .meta({
    description: 'The id of the last row of the previous page; without it the list starts at the newest.',
    override: { type: 'string', format: 'uuid' },
  });

/** Query of GET /verifications (specification 4.1). A misspelt parameter must not pass for an absent one, so none is unknown. */
export const ListQuery = z.strictObject({
  limit: pageLimit({ min: 1, max: limits.listLimitMax, fallback: limits.listLimitDefault }),
  starting_after: startingAfter,
});
export type ListQuery = z.output<typeof ListQuery>;

/** Query of GET /webhooks: without one, every endpoint that can be active fits on the first page. */
export const WebhookListQuery = ListQuery.extend({
  limit: pageLimit({ min: 1, max: limits.webhookListLimitMax, fallback: limits.webhookListLimitMax }),
});

/** Specification 2.3; newest first (decision 19). */
export const listOf = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({
    object: z.literal('list'),
    data: z.array(row).describe('Newest first.'),
    has_more: z.boolean().describe('Whether there is another page.'),
    next_starting_after: z
      .string()
      .nullable()
      .describe('Send it as `starting_after` to get the next page; null on the last.'),
  });
