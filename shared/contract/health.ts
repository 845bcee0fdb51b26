import { z } from 'zod';

/** Answer of GET /health (specification 4.1). */
export const Health = z
  .strictObject({
    status: z.literal('ok'),
    version: z.string().describe("The product's own version; that of the interface stands in the path."),
  })
  .meta({ id: 'Health' });
export type Health = z.output<typeof Health>;
