import { findLinkSource } from '#store/unscoped.ts';
import type { Context } from '../context.ts';
import { idInToken, isGenuine } from './link.ts';

export type FoundLink = { verificationId: string };

/** The verification that a link leads to; undefined for a malformed, forged, rotated or unknown one alike. */
export async function findLink(ctx: Context, token: string): Promise<FoundLink | undefined> {
  const id = idInToken(token);
  const source = id === undefined ? undefined : await findLinkSource(ctx.store.db, id);
  if (source === undefined || !isGenuine(ctx.secrets, token, source)) return undefined;
  return { verificationId: source.id };
}
