import type { z } from 'zod';
import { Problem } from '#contract/errors.ts';

/** Makes a 422 whose sentence names the invalid field and says what it must be. The sentence never repeats the value. */
export function invalidParameter(error: z.ZodError): Problem {
  const issue = error.issues[0];
  return new Problem('invalid_parameter', issue === undefined ? undefined : sentence(issue));
}

const article: Record<string, string> = { object: 'a JSON object', array: 'an array', int: 'an integer' };

function sentence(issue: z.core.$ZodIssue): string {
  const field = issue.path.length === 0 ? 'The body' : issue.path.map(String).join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${[...issue.path.map(String), shortened(issue.keys[0])].join('.')} is not a known field.`;
    case 'invalid_type':
      return issue.input === undefined && issue.path.length > 0
        ? `${field} is required.`
        : `${field} must be ${article[issue.expected] ?? `a ${issue.expected}`}.`;
    case 'invalid_value':
      return `${field} must be one of ${issue.values.map(String).join(', ')}.`;
    case 'too_small':
      return issue.origin === 'int' || issue.origin === 'number'
        ? `${field} must be at least ${issue.minimum}.`
        : `${field} must not be empty.`;
    case 'too_big':
      return `${field} must be at most ${issue.maximum}.`;
    case 'custom':
      return `${field} ${issue.message}.`;
    default:
      return `${field} is invalid.`;
  }
}

const shortened = (name = '') =>
  (name.length <= 64 ? name : `${name.slice(0, 64)}…`).replace(/[^\x20-\x7e…]/g, '?');
