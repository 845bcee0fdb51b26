import { z } from 'zod';

/** The answer of GET /health (specification 4.1). */
export const Health = z
  .strictObject({
    status: z.literal('ok'),
    version: z.string().describe('The version of the product. The version of the API is part of the path.'),
  })
  .meta({ id: 'Health' });
export type Health = z.output<typeof Health>;
