import { sha256 } from './crypto.ts';

const leafPrefix = Buffer.from([0]);
const nodePrefix = Buffer.from([1]);

/** A subtree whose number of leaves is a power of two. */
type Subtree = { leaves: number; hash: Buffer };

/**
 * Computes the root of a Merkle tree with SHA-256 (RFC 6962, section 2.1). Leaves are added one after the other, so the memory grows
 * with the logarithm of their number only.
 */
export function createMerkleTree() {
  const subtrees: Subtree[] = [];
  let leaves = 0;

  const joined = (left: Subtree, right: Subtree): Subtree => ({
    leaves: left.leaves + right.leaves,
    hash: sha256(Buffer.concat([nodePrefix, left.hash, right.hash])),
  });

  return {
    add(leaf: string): void {
      leaves += 1;
      let newest: Subtree = { leaves: 1, hash: sha256(Buffer.concat([leafPrefix, Buffer.from(leaf)])) };
      while (subtrees.at(-1)?.leaves === newest.leaves) newest = joined(subtrees.pop() as Subtree, newest);
      subtrees.push(newest);
    },
    leaves: () => leaves,
    root: (): Buffer =>
      subtrees.length === 0 ? sha256('') : subtrees.reduceRight((right, left) => joined(left, right)).hash,
  };
}
