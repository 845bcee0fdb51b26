import { describe, expect, test } from 'vitest';
import { text } from '#contract/fields.ts';

const accepts = (value: unknown, lengthMax = 200) => text(lengthMax).safeParse(value).success;

describe('text', () => {
  test.each([
    ['nothing at all', ''],
    ['200 characters', 'a'.repeat(200)],
    ['200 characters outside the basic plane, 400 code units', '😀'.repeat(200)],
    ['a pair of surrogates', '\ud83d\ude00'],
    ['control characters other than U+0000', '\u0001\n\t'],
  ])('takes %s', (_, value) => {
    expect(accepts(value)).toBe(true);
  });

  test.each([
    ['201 characters', 'a'.repeat(201)],
    ['201 characters outside the basic plane', '😀'.repeat(201)],
    ['U+0000', 'a\u0000b'],
    ['a lone high surrogate', 'a\ud800'],
    ['a lone low surrogate', '\udc00a'],
    ['surrogates in the wrong order', '\ude00\ud83d'],
    ['a number', 7],
    ['null', null],
  ])('refuses %s', (_, value) => {
    expect(accepts(value)).toBe(false);
  });
});
