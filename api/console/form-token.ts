import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { memberLimits } from '#contract/members.ts';
import type { Secrets } from '#platform/crypto.ts';

const nonceBytes = 16;
const hourMs = 3_600_000;

/** The parts of a form's token that was made for this browser. `nonce` differs for every form. */
export type FormToken = { nonce: Buffer };

/**
 * Makes and checks the token that every form carries. It is bound to the cookie of the browser, so another site cannot know it, and a
 * form from before a sign-in, a second factor or a sign-out is refused, because each of these changes the cookie.
 */
export function formTokens(secrets: Pick<Secrets, 'mac' | 'newestKeyId'>, now: () => Date) {
  const macOf = (cookie: string, nonce: string, madeAt: string) => {
    const browser = createHash('sha256').update(cookie).digest('hex');
    return secrets.mac('console-form', secrets.newestKeyId, `${browser}.${nonce}.${madeAt}`);
  };
  return {
    make(cookie: string): string {
      const nonce = randomBytes(nonceBytes).toString('base64url');
      const madeAt = now().getTime().toString(36);
      return [nonce, madeAt, macOf(cookie, nonce, madeAt).toString('base64url')].join('.');
    },

    /** Returns undefined if the token is missing, too old, or was made for another browser or session. */
    read(cookie: string, token: string | null): FormToken | undefined {
      const [nonce = '', madeAt = '', given = '', ...rest] = token?.split('.') ?? [];
      const expected = macOf(cookie, nonce, madeAt);
      const bytes = Buffer.from(given, 'base64url');
      if (cookie === '' || rest.length > 0 || bytes.length !== expected.length) return undefined;
      if (!timingSafeEqual(bytes, expected)) return undefined;
      const ageMs = now().getTime() - Number.parseInt(madeAt, 36);
      if (ageMs > memberLimits.sessionLifetimeHours * hourMs) return undefined;
      return { nonce: Buffer.from(nonce, 'base64url') };
    },
  };
}

export type FormTokens = ReturnType<typeof formTokens>;
