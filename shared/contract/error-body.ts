import { z } from 'zod';
import { type ErrorCode, errors, errorTypes } from './errors.ts';

/** The body of every error response (specification 7.1). */
export const ErrorBody = z.strictObject({
  error: z.strictObject({
    type: z.enum(errorTypes),
    code: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]).describe('For programs.'),
    message: z.string().describe('For developers. The wording may change.'),
    request_id: z
      .string()
      .startsWith('req_')
      .describe('The same as in the header X-Request-Id. Quote it when you contact us.'),
  }),
});
export type ErrorBody = z.output<typeof ErrorBody>;
