import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const fileAt = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url));

test.each([
  ['zones', 'activities/checks/document/reading/zone.onnx', 'zone', 3_000_000],
  ['recaptures', 'activities/checks/document/recapture/recapture.onnx', 'recapture', 1_000_000],
])(
  'the weights of the network of %s are those whose figures are kept, and small',
  (_, path, training, bytesMax) => {
    const weights = fileAt(path);
    const figures = JSON.parse(fileAt(`test/training/${training}/figures.json`).toString());
    expect(createHash('sha256').update(weights).digest('hex')).toBe(figures.weights);
    expect(weights.length).toBeLessThan(bytesMax);
  },
);
