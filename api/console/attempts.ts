import { html } from 'htm/preact';
import { memberLimits } from '#contract/members.ts';
import { sha256Hex } from '#platform/crypto.ts';
import type { Markup } from '../pages/markup.ts';
import type { PageRequest, View } from './request.ts';

const { attempts } = memberLimits;

type Bucket = [name: string, limit: number];

/**
 * Counts an attempt in all buckets. Returns a page if one of them is full. The member's own bucket is larger than the one of member and
 * address together, so that a guesser somewhere else does not lock the member out at once.
 */
async function counted({ ctx, text }: PageRequest, buckets: readonly Bucket[]): Promise<View | undefined> {
  const results = await Promise.all(
    buckets.map(([name, limit]) => ctx.attempts.count(`console:${name}`, limit)),
  );
  const waits = results.flatMap(({ exceeded, retryAfterSeconds }) => (exceeded ? [retryAfterSeconds] : []));
  if (waits.length === 0) return undefined;
  const { title, text: explain } = text.trouble.tooOften;
  const minutes = Math.ceil(Math.max(...waits) / 60);
  return {
    title,
    body: html`<p>${explain(minutes)}</p>` as Markup,
    status: 429,
    refused: 'too_often',
    isFaulty: true,
  };
}

/** The address is hashed, because the counters may lie in a Redis that others read too. */
export const countSignIn = (request: PageRequest, email: string): Promise<View | undefined> => {
  const whom = sha256Hex(email).slice(0, 32);
  const where = request.device.address;
  return counted(request, [
    [`address:${where}`, attempts.perAddress],
    [`member:${whom}`, attempts.perMember],
    [`member:${whom}:${where}`, attempts.perMemberAndAddress],
  ]);
};

export const countSecondFactor = (request: PageRequest, memberId: string): Promise<View | undefined> =>
  counted(request, [[`second-factor:${memberId}`, attempts.perSecondFactor]]);

export const countFromAddress = (request: PageRequest): Promise<View | undefined> =>
  counted(request, [[`address:${request.device.address}`, attempts.perAddress]]);
