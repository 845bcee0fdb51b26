import { scrypt } from 'node:crypto';
import { isSameSecret } from '../crypto/crypto.ts';
import { inTurn, type Turn } from './password-turns.ts';

/**
 * The cost of a hash, which is what OWASP advises: 128 MiB of memory, and some 0.4 seconds on a usual processor. Stored with each hash, so
 * that it can rise later.
 */
const usualCost: PasswordCost = { N: 2 ** 17, r: 8, p: 1 };
const hashBytes = 32;

/** The parameters of scrypt. */
export type PasswordCost = { N: number; r: number; p: number };
type Stored = { cost: PasswordCost; salt: Buffer; hash: Buffer };

const derive = (password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    // A password may be typed on keyboards that compose its letters differently.
    scrypt(password.normalize('NFKC'), salt, hashBytes, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    ),
  );

const written = ({ cost: { N, r, p }, salt, hash }: Stored): string =>
  ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$');

function read(stored: string): Stored {
  const [, N, r, p, salt = '', hash = ''] = stored.split('$');
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

/** What goes into a hash beside the password. A test may hash at a lower cost. */
type Salted = { salt: Buffer; cost?: PasswordCost | undefined };

/** Hashes a password for the database, with its salt and the cost beside it. */
export async function hashPassword(
  password: string,
  { salt, cost = usualCost }: Salted,
  turn?: Turn,
): Promise<string> {
  const hash = await inTurn(() => derive(password, salt, cost), turn);
  return written({ cost, salt, hash });
}

export async function passwordMatches(password: string, stored: string, turn?: Turn): Promise<boolean> {
  const { cost: itsCost, salt, hash } = read(stored);
  return isSameSecret(await inTurn(() => derive(password, salt, itsCost), turn), hash);
}

export type Compared = {
  /** For each stored hash, whether it is of this password. */
  isRight: boolean[];
  /** The hash with the salt and the cost of today. */
  fresh: string;
};

/** Hashes of other costs or salts that are tried in one attempt. Each takes the time of one more. */
const othersMax = 4;

/**
 * Compares a password with the hashes of all members who have one address. With the salt and the cost of today, one new hash is compared
 * with all of them. It is computed also if there are none, so the time does not tell who has an account.
 */
export async function comparePassword(
  password: string,
  { stored, ...salted }: Salted & { stored: readonly string[] },
  turn?: Turn,
): Promise<Compared> {
  const fresh = await hashPassword(password, salted, turn);
  const ofToday = read(fresh);
  const right = new Set<string>();
  for (const each of stored) if (isSame(read(each), ofToday)) right.add(each);
  if (right.size === 0)
    for (const kind of kindsOf(stored, ofToday).slice(0, othersMax)) {
      const hash = await inTurn(() => derive(password, kind.salt, kind.cost), turn);
      for (const each of stored) if (isSame(read(each), { ...kind, hash })) right.add(each);
    }
  return { isRight: stored.map((each) => right.has(each)), fresh };
}

const isSame = (one: Stored, other: Stored): boolean =>
  isOfKind(one, other) && isSameSecret(one.hash, other.hash);

const isOfKind = (one: Stored, other: Stored): boolean =>
  costOf(one.cost) === costOf(other.cost) && one.salt.equals(other.salt);

const costOf = ({ N, r, p }: PasswordCost): string => `${N}/${r}/${p}`;

/** The costs and salts among the stored hashes that are not those of today. */
function kindsOf(stored: readonly string[], ofToday: Stored): Stored[] {
  const kinds: Stored[] = [];
  for (const each of stored.map(read))
    if (![ofToday, ...kinds].some((known) => isOfKind(each, known))) kinds.push(each);
  return kinds;
}

/** True if the stored hash is older than the fresh one of the same password, and no slower to guess. */
export function shouldRenew(stored: string, fresh: string): boolean {
  const [before, now] = [stored, fresh].map((each) => read(each).cost) as [PasswordCost, PasswordCost];
  return stored !== fresh && before.N * before.r * before.p <= now.N * now.r * now.p;
}
