import { dayMs, secondMs } from '#contract/time.ts';
import type { Secrets } from '#platform/crypto/crypto.ts';
import { randomToken } from '#platform/crypto/random.ts';
import type { SignedIn } from '#services/members/sessions.ts';
import type { ApiContext } from '../../state.ts';

/** A browser in which this member signed in before. `id` counts its attempts. */
export type KnownBrowser = { id: string; memberId: string; orgId: string };

const idBytes = 16;
const days = 180;
const binding = 'known browser';

/**
 * The mark of a browser in which a member signed in: a cookie that strangers' attempts do not stop. It is sealed, so it says nothing to
 * anybody who reads it, and nobody can make one. It opens nothing: password and code are asked for as ever. It counts for its member
 * alone, so that somebody with an account cannot guess the passwords of others with it.
 */
export function browserMarks(secrets: Pick<Secrets, 'seal' | 'open'>, now: () => Date, isSecure: boolean) {
  const name = isSecure ? '__Host-console-browser' : 'console-browser';
  const attributes = `Path=/; Max-Age=${(days * dayMs) / secondMs}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

  /** Undefined without a mark, and for one that is too old or that was made elsewhere. */
  const read = (koa: ApiContext): KnownBrowser | undefined => {
    try {
      const value = Buffer.from(koa.cookies.get(name) ?? '', 'base64url');
      const [memberId, id, madeAtMs, orgId] = JSON.parse(secrets.open('console-browser', binding, value));
      return now().getTime() - madeAtMs > days * dayMs ? undefined : { id, memberId, orgId };
    } catch {
      return undefined;
    }
  };

  return {
    read,
    /** Marks the browser. Each sign-in gives a fresh mark, so who copied an earlier one cannot use up the attempts of this one. */
    write(koa: ApiContext, { memberId, scopes }: Pick<SignedIn, 'memberId' | 'scopes'>): void {
      const id = randomToken(idBytes);
      const plain = JSON.stringify([memberId, id, now().getTime(), scopes.live.orgId]);
      const value = secrets.seal('console-browser', binding, plain).toString('base64url');
      koa.append('Set-Cookie', `${name}=${value}; ${attributes}`);
    },
  };
}
