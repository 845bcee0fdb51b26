import { randomToken } from '#platform/crypto/random.ts';
import type { ApiContext } from '../../state.ts';

const tokenBytes = 32;

/** Over https, the prefix makes browsers refuse the cookie from any other host, also from a subdomain. */
const nameOf = (isSecure: boolean) => (isSecure ? '__Host-console' : 'console');

const attributes = 'Path=/; HttpOnly; SameSite=Lax';

/** The cookie of the session. It ends with the browser. The service decides when the session ends. */
export function consoleCookie(isSecure: boolean) {
  const name = nameOf(isSecure);
  const set = (koa: ApiContext, value: string, rest = '') =>
    koa.append('Set-Cookie', `${name}=${value}; ${attributes}${isSecure ? '; Secure' : ''}${rest}`);
  return {
    read: (koa: ApiContext): string => koa.cookies.get(name) ?? '',
    write: (koa: ApiContext, token: string) => set(koa, token),
    /** A value for a browser in which nobody is signed in, so that its forms can have tokens. It is no session. */
    writeVisitor(koa: ApiContext): string {
      const value = randomToken(tokenBytes);
      set(koa, value);
      return value;
    },
    clear: (koa: ApiContext) => set(koa, '', '; Max-Age=0'),
  };
}
