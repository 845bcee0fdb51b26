import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { ErrorBody } from '#contract/error-body.ts';
import { type ErrorCode, errors } from '#contract/errors.ts';
import { errorsOf } from './errors-of.ts';
import { exampleRequestId } from './examples.ts';
import { everyHeader, headersOfStatus, refsToHeaders } from './openapi-headers.ts';
import type { Route } from './row.ts';

/** OpenAPI allows one response per status, so the errors of a route are grouped by status. */
export const groupedErrorsOf = (row: Route): ErrorCode[][] =>
  Object.values(Object.groupBy(errorsOf(row), (code) => errors[code].status)).map((codes = []) => codes);

export const statusOf = ([code]: ErrorCode[]) => (code === undefined ? 0 : errors[code].status);
export const nameOf = (codes: ErrorCode[]) => codes.join('.');

export const errorResponse = (codes: ErrorCode[]): ZodOpenApiResponseObject => ({
  description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'),
  headers: refsToHeaders([...everyHeader, ...(headersOfStatus[statusOf(codes)] ?? [])]),
  content: {
    'application/json': {
      schema: errorBodyWith(codes),
      examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
    },
  },
});

/** The schema of the error body with only these codes and their types. */
function errorBodyWith(codes: ErrorCode[]) {
  const { error } = ErrorBody.shape;
  const types = new Set(codes.map((code) => errors[code].type));
  return ErrorBody.extend({
    error: error.extend({
      type: error.shape.type.extract([...types]),
      code: error.shape.code.extract(codes),
    }),
  });
}

function exampleOf(code: ErrorCode): ErrorBody {
  const { type, message } = errors[code];
  return { error: { type, code, message, request_id: exampleRequestId } };
}
