import { describe, expect, test } from 'vitest';
import { canonicalJson } from '#platform/crypto/canonical-json.ts';

describe('canonical JSON', () => {
  test('is the example of RFC 8785', () => {
    const value = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  test('does not depend on the order of keys, at any depth', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: 3 })).toBe('{"a":3,"b":[{"c":2,"d":1}]}');
  });

  test('keeps the order of arrays and tells apart what differs', () => {
    const texts = [{}, [], null, '', 0, false, { a: null }, [1, 2], [2, 1], '1', 1].map(canonicalJson);
    expect(new Set(texts).size).toBe(texts.length);
  });

  test.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, { a: Number.NaN }])('refuses %j', (value) => {
    expect(() => canonicalJson(value)).toThrow();
  });
});
