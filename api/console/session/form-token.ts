import { memberLimits } from '#contract/members.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { isSameSecret, type Secrets, sha256Hex } from '#platform/crypto/crypto.ts';
import { randomToken } from '#platform/crypto/random.ts';

const nonceBytes = 16;

/** A form's token that was made for this browser. `nonce` differs for every page that was shown. */
export type FormToken = { text: string; nonce: Buffer; madeAt: Date };

/**
 * What a token shows besides its browser. A token `password` is made only on the answer to a form in which the present password was right,
 * and does not last.
 */
export type FormPurpose = 'form' | 'password';

const lifetimeMs: Record<FormPurpose, number> = {
  form: memberLimits.sessionLifetimeHours * hourMs,
  password: memberLimits.challengeMinutes * minuteMs,
};

/**
 * Makes and checks the token that every form carries. It is bound to the cookie of the browser, so another site cannot know it, and a
 * form from before a sign-in, a second factor or a sign-out is refused, because each of these changes the cookie.
 */
export function formTokens(secrets: Pick<Secrets, 'mac' | 'newestKeyId'>, now: () => Date) {
  const macOf = (
    cookie: string,
    { nonce, madeAt, purpose }: Record<'nonce' | 'madeAt' | 'purpose', string>,
  ) => {
    const browser = sha256Hex(cookie);
    const bound = [browser, nonce, madeAt, ...(purpose === 'form' ? [] : [purpose])].join('.');
    return secrets.mac('console-form', secrets.newestKeyId, bound);
  };
  return {
    make(cookie: string, purpose: FormPurpose = 'form'): string {
      const nonce = randomToken(nonceBytes);
      const madeAt = now().getTime().toString(36);
      return [nonce, madeAt, macOf(cookie, { nonce, madeAt, purpose }).toString('base64url')].join('.');
    },

    /** Returns undefined if the token is missing, too old, or was made for another browser, session or purpose. */
    read(cookie: string, token: string | null, purpose: FormPurpose = 'form'): FormToken | undefined {
      const [nonce = '', madeAt = '', given = '', ...rest] = token?.split('.') ?? [];
      const expected = macOf(cookie, { nonce, madeAt, purpose });
      if (token === null || cookie === '' || rest.length > 0) return undefined;
      if (!isSameSecret(Buffer.from(given, 'base64url'), expected)) return undefined;
      const madeAtMs = Number.parseInt(madeAt, 36);
      if (now().getTime() - madeAtMs > lifetimeMs[purpose]) return undefined;
      return { text: token, nonce: Buffer.from(nonce, 'base64url'), madeAt: new Date(madeAtMs) };
    },
  };
}

export type FormTokens = ReturnType<typeof formTokens>;
