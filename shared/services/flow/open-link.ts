import { scopeOfLink } from '#store/database/scope.ts';
import { findOpenCreateOfAnyOrganisation } from '#store/requests.ts';
import { type LostContext, openSince, recordLost } from '../runs/even-if-lost.ts';
import { idInToken, isGenuine } from '../views/link.ts';
import { findLink, type Link, type LinkContext } from './find-link.ts';

type OpenContext = LinkContext & LostContext;

/**
 * As `findLink`, but also if an older database has lost the verification's row (decision 53). Without the row, only the link that the
 * create will make again can be checked: the first one, with the newest key.
 */
export async function openLink(ctx: OpenContext, token: string): Promise<Link | undefined> {
  const link = await findLink(ctx, token);
  if (link !== undefined || !(await wasLost(ctx, token))) return link;
  return findLink(ctx, token);
}

async function wasLost(ctx: OpenContext, token: string): Promise<boolean> {
  const id = idInToken(token);
  const { secrets, store } = ctx;
  if (id === undefined || !isGenuine(secrets, token, { id, linkVersion: 1, linkKeyId: secrets.newestKeyId }))
    return false;
  const claim = await findOpenCreateOfAnyOrganisation(store.db, id, openSince(ctx));
  if (claim === undefined) return false;
  await recordLost(ctx, scopeOfLink(claim), claim);
  return true;
}
