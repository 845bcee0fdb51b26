import { limits } from '#contract/limits.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { isSameSecret, type Secrets } from '#platform/crypto/crypto.ts';
import type { Context } from '../context.ts';

/** The token of a link is computed from these values and a secret key. The token is never stored (decision 7). */
export type LinkSource = { id: string; linkVersion: number; linkKeyId: string };

const idBytes = 16;
const tokenPattern = /^[A-Za-z0-9_-]{64}$/;

export const linkLifetimeMs = limits.linkLifetimeDays * dayMs;

/** A person who has started has less time. */
export const lifetimeAfterStartMs = limits.linkLifetimeHoursAfterStart * hourMs;

/** The version of the link of a case that has none: everything came with the request. No token of it is genuine. */
export const noLink = 0;

type LinkTimes = { linkExpiresAt: Date; cancelledAt: Date | null; now: Date };

/** The remaining lifetime of the link in milliseconds, or 0 after its expiry or a cancellation. */
export const linkLeftMs = ({ linkExpiresAt, cancelledAt, now }: LinkTimes): number =>
  cancelledAt === null ? Math.max(linkExpiresAt.getTime() - now.getTime(), 0) : 0;

/** The token of a link, which opens the flow of a person. */
export const linkToken = (secrets: Secrets, { id, linkVersion, linkKeyId }: LinkSource): string =>
  secrets.token('link-token', linkKeyId, id, linkVersion);

export const verifyUrl = (ctx: Pick<Context, 'secrets' | 'publicUrl'>, source: LinkSource): string =>
  `${ctx.publicUrl}/verify/${linkToken(ctx.secrets, source)}`;

/** Returns the id in a well-formed token. The token may still be forged. `isGenuine` detects a forged token. */
export function idInToken(token: string): string | undefined {
  if (!tokenPattern.test(token)) return undefined;
  const hex = Buffer.from(token, 'base64url').subarray(0, idBytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const isGenuine = (secrets: Secrets, token: string, source: LinkSource): boolean =>
  source.linkVersion !== noLink && isSameSecret(token, linkToken(secrets, source));
