import type { Context } from '../context.ts';
import { type Course, walk } from '../portions/walk.ts';
import { columns, eachLink, eachSeal, type SealContext, type SealPurpose } from './parts.ts';

/** The numbers of values and workflows that only this key can open. */
export type KeyUse = {
  keyId: string;
  /** The newest key seals new values. An older key only opens values. A missing key is not in SECRETS_KEY. */
  standing: 'newest' | 'older' | 'missing';
  sealed: Record<SealPurpose, number>;
  /** The verifications and deliveries whose workflow began with this key and is running. */
  runs: number;
  /** The links that were made with this key, including expired links. `workUntil` is the latest expiry of these links. */
  links: { count: number; workUntil: Date } | undefined;
};

/**
 * Returns the keys of SECRETS_KEY, newest first, then the other keys that rows refer to. Each entry counts what
 * needs its key.
 */
export async function keysInUse(
  ctx: SealContext & Pick<Context, 'temporal'>,
  watch?: Course['watch'],
): Promise<KeyUse[]> {
  const uses = new Map<string, KeyUse>();
  const useOf = (keyId: string): KeyUse => {
    const use = uses.get(keyId) ?? unused(ctx, keyId);
    uses.set(keyId, use);
    return use;
  };
  for (const keyId of ctx.secrets.keyIds) useOf(keyId);
  const links = eachLink(ctx, (rows) => {
    for (const { keyId, expiresAt } of rows) {
      const use = useOf(keyId);
      const { count, workUntil } = use.links ?? { count: 0, workUntil: expiresAt };
      use.links = { count: count + 1, workUntil: expiresAt > workUntil ? expiresAt : workUntil };
    }
  });
  const seals = columns.map(({ purpose, column }) =>
    eachSeal(ctx, column, (rows) => {
      for (const { keyId } of rows) if (keyId !== null) useOf(keyId).sealed[purpose] += 1;
    }),
  );
  await walk([links, ...seals], { ...(watch && { watch }) });
  const { ofKey } = await ctx.temporal.countRunsOfKeys([...uses.keys()]);
  return [...uses.values()].map((use) => ({ ...use, runs: ofKey.get(use.keyId) ?? 0 }));
}

const unused = ({ secrets }: SealContext, keyId: string): KeyUse => ({
  keyId,
  standing: standingOf(secrets, keyId),
  sealed: {
    'webhook-secret': 0,
    'stored-answer': 0,
    'request-fingerprint': 0,
    'data-key': 0,
    'ledger-personal': 0,
    'command-personal': 0,
    'receiver-answer': 0,
    'attempt-heads': 0,
    evidence: 0,
    'totp-secret': 0,
    'eid-contract': 0,
  },
  runs: 0,
  links: undefined,
});

const standingOf = ({ newestKeyId, keyIds }: Context['secrets'], keyId: string): KeyUse['standing'] =>
  keyId === newestKeyId ? 'newest' : keyIds.includes(keyId) ? 'older' : 'missing';

/** True if the newest key can open every stored value, check every link and go on with every open workflow. */
export const newestIsEnough = (uses: readonly KeyUse[]): boolean =>
  uses.every(
    ({ standing, sealed, runs, links }) =>
      standing === 'newest' ||
      (links === undefined && runs === 0 && Object.values(sealed).every((count) => count === 0)),
  );
