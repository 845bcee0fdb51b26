import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const fileAt = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url));

test('the weights of the reader of zones are those whose figures are kept, and small', () => {
  const weights = fileAt('activities/checks/document/reading/zone.onnx');
  const figures = JSON.parse(fileAt('test/training/zone/figures.json').toString());
  expect(createHash('sha256').update(weights).digest('hex')).toBe(figures.weights);
  expect(weights.length).toBeLessThan(3_000_000);
});
