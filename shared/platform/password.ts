import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** The cost of a hash: 64 MiB of memory, and a fifth of a second on a usual processor. Stored with each hash, so that it can rise later. */
const cost = { N: 2 ** 16, r: 8, p: 1 } as const;
const saltBytes = 16;
const hashBytes = 32;

type Cost = { N: number; r: number; p: number };

const derive = (password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    // A password may be typed on keyboards that compose its letters differently.
    scrypt(password.normalize('NFKC'), salt, hashBytes, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    ),
  );

/** Hashes a password for the database, with its own salt and with the cost beside it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await inTurn(() => derive(password, salt, cost));
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** Takes the same time without a stored hash, so that nobody learns by the time who has an account. */
export async function passwordMatches(password: string, stored: string | null | undefined): Promise<boolean> {
  const [, N = cost.N, r = cost.r, p = cost.p, salt = '', hash = ''] = stored?.split('$') ?? [];
  const saltOf = salt === '' ? Buffer.alloc(saltBytes) : Buffer.from(salt, 'base64');
  const derived = await inTurn(() => derive(password, saltOf, { N: Number(N), r: Number(r), p: Number(p) }));
  const expected = hash === '' ? Buffer.alloc(hashBytes) : Buffer.from(hash, 'base64');
  return timingSafeEqual(derived, expected) && hash !== '';
}

/** One hash at a time, so that a flood of attempts takes neither the memory nor all threads of the process. */
let last: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
}
