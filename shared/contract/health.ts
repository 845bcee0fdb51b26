import { z } from 'zod';

/** Answer of GET /health (specification 4.1). */
export const Health = z.strictObject({ status: z.literal('ok'), version: z.string() });
export type Health = z.output<typeof Health>;
