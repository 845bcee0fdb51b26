import { describe, expect, test } from 'vitest';
import { sha256 } from '#platform/crypto/crypto.ts';
import { createMerkleTree } from '#platform/crypto/merkle.ts';

const rootOf = (leaves: readonly string[]) => {
  const tree = createMerkleTree();
  for (const leaf of leaves) tree.add(leaf);
  expect(tree.leaves()).toBe(leaves.length);
  return tree.root().toString('hex');
};

/** The definition of RFC 6962, section 2.1, word for word. It reads all leaves at once. */
function byDefinition(leaves: readonly string[]): Buffer {
  const [only] = leaves;
  if (only === undefined) return sha256('');
  if (leaves.length === 1) return sha256(Buffer.concat([Buffer.from([0]), Buffer.from(only)]));
  const left = 2 ** Math.floor(Math.log2(leaves.length - 1));
  const [first, second] = [byDefinition(leaves.slice(0, left)), byDefinition(leaves.slice(left))];
  return sha256(Buffer.concat([Buffer.from([1]), first, second]));
}

test('an empty tree has the hash of nothing', () =>
  expect(rootOf([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'));

test('one leaf is hashed with a zero before it', () =>
  expect(rootOf([''])).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'));

describe('the root is that of RFC 6962', () => {
  test.each([2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 100, 1_000])('with %d leaves', (count) => {
    const leaves = Array.from({ length: count }, (_, n) => `leaf ${n}`);
    expect(rootOf(leaves)).toBe(byDefinition(leaves).toString('hex'));
  });
});

test('a leaf that is changed, moved, added or missing gives another root', () => {
  const leaves = ['a', 'b', 'c', 'd', 'e'];
  const others = [['a', 'b', 'x', 'd', 'e'], ['b', 'a', 'c', 'd', 'e'], [...leaves, 'e'], leaves.slice(1)];
  expect(new Set([leaves, ...others].map(rootOf)).size).toBe(5);
});

describe('the proof of a leaf', () => {
  /** The definition of an audit path in RFC 6962, word for word. */
  function pathByDefinition(index: number, leaves: readonly string[]): Buffer[] {
    if (leaves.length <= 1) return [];
    const left = 2 ** Math.floor(Math.log2(leaves.length - 1));
    const [first, second] = [leaves.slice(0, left), leaves.slice(left)];
    return index < left
      ? [...pathByDefinition(index, first), byDefinition(second)]
      : [...pathByDefinition(index - left, second), byDefinition(first)];
  }

  test.each([1, 2, 3, 4, 5, 7, 8, 9, 33])('is that of RFC 6962 for each of %d leaves', (count) => {
    const leaves = Array.from({ length: count }, (_, n) => `leaf ${n}`);
    for (const [index] of leaves.entries()) {
      const tree = createMerkleTree();
      for (const [place, leaf] of leaves.entries()) tree.add(leaf, place === index);
      expect(tree.proof()).toEqual({ index, path: pathByDefinition(index, leaves) });
      expect(tree.root()).toEqual(byDefinition(leaves));
    }
  });

  test('is missing if no leaf is watched', () => {
    const tree = createMerkleTree();
    tree.add('a');
    expect(tree.proof()).toBeUndefined();
  });
});
