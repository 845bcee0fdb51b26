import { memberLimits } from '#contract/members.ts';
import { dayMs, secondMs } from '#contract/time.ts';
import { sha256Hex } from '#platform/crypto/crypto.ts';
import { networkOf } from '../../client-address.ts';
import { html } from '../../pages/markup.ts';
import type { MemberRequest, PageRequest, View } from '../request.ts';

const { attempts } = memberLimits;

type Bucket = [name: string, limit: number, windowSeconds?: number];

/**
 * Counts an attempt in each bucket, the narrowest first, until one is full. An attempt that is refused fills nothing further, so that
 * somebody who is refused cannot use up what belongs to others, and holds no memory for a name that was made up. Returns how long to wait.
 */
async function countAll({ ctx }: PageRequest, buckets: readonly Bucket[]): Promise<number | undefined> {
  const waits = await Promise.all(
    buckets.map(([name, limit]) => ctx.attempts.waitSeconds(keyOf(name), limit)),
  );
  const longest = Math.max(...waits.map((wait) => wait ?? 0));
  if (longest > 0) return longest;
  for (const [name, limit, windowSeconds] of buckets) {
    const { exceeded, retryAfterSeconds } = await ctx.attempts.count(keyOf(name), limit, windowSeconds);
    if (exceeded) return retryAfterSeconds;
  }
  return undefined;
}

const keyOf = (name: string) => `console:${name}`;

/** The page for somebody who has to wait. */
export function tooOften({ text }: Pick<PageRequest, 'text'>, waitSeconds: number): View {
  const { title, wait } = text.signIn.attempts;
  return {
    title,
    body: html`<p>${wait(Math.ceil(waitSeconds / 60))}</p>`,
    status: 429,
    refused: 'too_often',
    isFaulty: true,
  };
}

const pageAfter = async (request: PageRequest, counting: Promise<number | undefined>) => {
  const wait = await counting;
  return wait === undefined ? undefined : tooOften(request, wait);
};

/** Who may try now: anybody, only the member who is known in this browser, or nobody. */
export type Admitted = { tries: 'anybody' | 'known_member' } | { tries: 'nobody'; waitSeconds: number };

/**
 * Counts a sign-in. Strangers are counted by address, network and member. What they do never stops a browser in which the member signed in
 * before: it has a count of its own, and tries as that member alone.
 */
export async function admitSignIn(request: PageRequest, email: string): Promise<Admitted> {
  const waitSeconds = await countStranger(request, email);
  if (waitSeconds === undefined) return { tries: 'anybody' };
  const { knownBrowser } = request;
  if (knownBrowser === undefined) return { tries: 'nobody', waitSeconds };
  const ownWait = await countAll(request, [[`browser:${knownBrowser.id}`, attempts.perMemberAndAddress]]);
  return ownWait === undefined ? { tries: 'known_member' } : { tries: 'nobody', waitSeconds: ownWait };
}

/**
 * The attempts for a member from everywhere are bounded too. Beyond that bound the first few from each network still count as somebody who
 * has just arrived, up to a higher bound, so that a guesser needs hundreds of networks to keep the member out of a new browser. The address
 * is hashed, because the counters may lie in a Redis that others read too.
 */
async function countStranger(request: PageRequest, email: string): Promise<number | undefined> {
  const { ctx, device } = request;
  const whom = `member:${sha256Hex(email).slice(0, 32)}`;
  const network = networkOf(device.address);
  const own: Bucket = [`${whom}:${network}`, attempts.perMemberAndAddress];
  const wait = await countAll(request, [own, ...placesOf('address', device.address)]);
  if (wait !== undefined) return wait;
  const wholeWait = await countAll(request, [[whom, attempts.perMember]]);
  if (wholeWait === undefined) return undefined;
  const { limit, remaining } = await ctx.attempts.peek(keyOf(own[0]), own[1]);
  if (limit - remaining > attempts.firstOfNetwork) return wholeWait;
  return countAll(request, [[`${whom}:first`, attempts.perMemberFirst]]);
}

/** The address, and its network if that is larger. */
function placesOf(what: string, address: string): Bucket[] {
  const network = networkOf(address);
  const own: Bucket = [`${what}:${address}`, attempts.perAddress];
  return network === address ? [own] : [own, [`${what}:${network}`, attempts.perNetwork]];
}

/** A few guesses in a quarter of an hour, and not many more in a day, since codes are short and passwords do not change. */
const guesses = (name: string): Bucket[] => [
  [name, attempts.guesses],
  [`${name}:day`, attempts.guessesPerDay, daySeconds],
];
const daySeconds = dayMs / secondMs;

/** Counts a code after the right password. A browser in which the member signed in before has a count of its own here too. */
export function countCode(request: MemberRequest): Promise<View | undefined> {
  const { memberId } = request.member;
  const { knownBrowser } = request;
  const where = knownBrowser?.memberId === memberId ? `:${knownBrowser.id}` : '';
  return pageAfter(request, countAll(request, guesses(`code:${memberId}${where}`)));
}

/** Counts a password or a first code that somebody gives inside. Another session of the member has its own count. */
export const countInside = (request: MemberRequest): Promise<View | undefined> =>
  pageAfter(request, countAll(request, guesses(`inside:${request.member.sessionId}`)));

/** Counts a password for a link that exists. Nobody guesses a link, so its holder is not stopped by others at the same address. */
export const countForLink = (request: PageRequest, token: string): Promise<View | undefined> =>
  pageAfter(request, countAll(request, [[`link:${sha256Hex(token).slice(0, 32)}`, attempts.perLink]]));

/** Passkeys cannot be guessed either. The count bounds what one address or network can make this process verify. */
export const countPasskey = (request: PageRequest): Promise<View | undefined> =>
  pageAfter(request, countAll(request, placesOf('passkey', request.device.address)));
