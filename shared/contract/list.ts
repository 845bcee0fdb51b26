import { z } from 'zod';
import { limits } from './limits.ts';

/** An integer as a query carries it: digits and nothing else. */
const queryInteger = ({ min, max, fallback }: { min: number; max: number; fallback: number }) =>
  z
    .string()
    .refine(
      (digits) => /^\d{1,9}$/.test(digits) && Number(digits) >= min && Number(digits) <= max,
      `must be an integer from ${min} to ${max}`,
    )
    .transform(Number)
    .default(fallback)
    .meta({ override: { type: 'integer', minimum: min, maximum: max, default: fallback } });

const startingAfter = z
  .string()
  .optional()
  .meta({
    description: 'The id of the last row of the previous page; without it the list starts at the newest.',
    override: { type: 'string', format: 'uuid' },
  });

/** Query of GET /verifications (specification 4.1). A misspelt parameter must not pass for an absent one, so none is unknown. */
export const ListQuery = z.strictObject({
  limit: queryInteger({ min: 1, max: limits.listLimitMax, fallback: limits.listLimitDefault }),
  starting_after: startingAfter,
});
export type ListQuery = z.output<typeof ListQuery>;

/** Query of GET /webhooks: without one, every endpoint that can be active fits on the first page. */
export const WebhookListQuery = ListQuery.extend({
  limit: queryInteger({ min: 1, max: limits.webhookListLimitMax, fallback: limits.webhookListLimitMax }),
});

/** Specification 2.3; newest first (decision 19). */
export const listOf = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({
    object: z.literal('list'),
    data: z.array(row),
    has_more: z.boolean(),
    next_starting_after: z.string().nullable(),
  });
