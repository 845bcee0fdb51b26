import { sha256 } from './crypto.ts';

const leafPrefix = Buffer.from([0]);
const nodePrefix = Buffer.from([1]);

/** A subtree whose number of leaves is a power of two. `path` is that of the watched leaf inside the subtree, if it is there. */
type Subtree = { leaves: number; hash: Buffer; path?: Buffer[] };

/**
 * Shows that a leaf is in a tree (the audit path of RFC 6962). `index` is the place of the leaf, from 0. `path` has the hash of each subtree
 * that is beside the way from the leaf to the root, the nearest to the leaf first.
 */
export type LeafProof = { index: number; path: Buffer[] };

/**
 * Computes the root of a Merkle tree with SHA-256 (RFC 6962, section 2.1). Leaves are added one after the other, so the memory grows
 * with the logarithm of their number only.
 */
export function createMerkleTree() {
  const subtrees: Subtree[] = [];
  let leaves = 0;
  let watched: number | undefined;

  const joined = (left: Subtree, right: Subtree): Subtree => {
    const hash = sha256(Buffer.concat([nodePrefix, left.hash, right.hash]));
    const path = left.path ? [...left.path, right.hash] : right.path && [...right.path, left.hash];
    return { leaves: left.leaves + right.leaves, hash, ...(path && { path }) };
  };
  const whole = () => subtrees.reduceRight((right, left) => joined(left, right));

  return {
    /** If `isWatched` is true, `proof` is about this leaf. */
    add(leaf: string, isWatched = false): void {
      if (isWatched) watched = leaves;
      leaves += 1;
      const hash = sha256(Buffer.concat([leafPrefix, Buffer.from(leaf)]));
      let newest: Subtree = { leaves: 1, hash, ...(isWatched && { path: [] }) };
      while (subtrees.at(-1)?.leaves === newest.leaves) newest = joined(subtrees.pop() as Subtree, newest);
      subtrees.push(newest);
    },
    leaves: () => leaves,
    root: (): Buffer => (subtrees.length === 0 ? sha256('') : whole().hash),
    /** Returns undefined if no leaf was watched. */
    proof: (): LeafProof | undefined =>
      watched === undefined ? undefined : { index: watched, path: whole().path ?? [] },
  };
}
