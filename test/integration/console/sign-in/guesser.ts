import { newVisitor, type Visitor } from '#test/support/people/console.ts';

/** Too short to be anybody's, so it costs no hash. It counts as every other one. */
export const wrong = 'wrong';

let addresses = 0;
/** A browser that nobody knows, at an address of its own. */
export const strangerAt = (url: string) => newVisitor(url, `203.0.113.${++addresses}`);

/** Sends the form of the sign-in so often, one after another. Returns how often each status came. */
export async function guesses(who: Visitor, email: string, times: number, password = wrong) {
  const counts: Record<number, number> = {};
  const { token = '' } = await who.get('/sign-in');
  for (let i = 0; i < times; i++) {
    const { status } = await who.post('/sign-in', { email, password }, { token });
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
