import { describe, expect, test, vi } from 'vitest';
import { consolePages } from '#api/console/pages.ts';
import { type ConsoleRole, consoleRoles } from '#contract/members.ts';
import { may, rights } from '#policy/rights.ts';
import { decideReview } from '#services/reviews/decide.ts';
import { reasonsFor } from '#test/integration/reviews/reasons.ts';
import { startHarness } from '#test/support/harness.ts';
import { asOwner } from '#test/support/people/as-member.ts';
import type { Joined, Visitor } from '#test/support/people/console.ts';
import {
  type AnySide,
  targetOf,
  twoOrganisations,
  verificationOf,
  withoutTokens,
} from './two-organisations.ts';

/**
 * The walk of two organisations with what an address has after its path. Each parameter that a page reads gets everything that names
 * something of the other organisation. A page reads no parameter that its row does not name, so none is forgotten.
 */

const harness = await startHarness();
const { url } = await harness.startConsole();
const two = await twoOrganisations(harness, url);

/** The id of a verification that the owner has decided, and can take back for long. */
async function heldBy({ joined: { owner }, key, organisationId }: AnySide): Promise<string> {
  const id = await verificationOf(harness, key);
  await owner.visitor.submit('/review', `/review/${id}/claim`);
  const ctx = { ...harness.ctx, deadlineAt: Date.now() + 10_000, reviewHeldMs: 3_600_000 };
  const caller = asOwner({ id: owner.memberId }, organisationId, 'sandbox');
  await decideReview(ctx, caller, {
    ...{ verificationId: id, outcome: 'approved', reasonIds: reasonsFor('approved') },
  });
  return id;
}

/** Something of an organisation, and the same with a last digit that nothing has. */
type Pair = readonly [named: string, unknown: string];
const beside = (id: string) => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');

/** The newest line of a table of the organisation. The request log is written a moment after the answer. */
const newestOf = <Line extends object>(read: () => Promise<(Line & { at: string })[]>) =>
  vi.waitFor(async () => {
    const [line] = await read();
    if (line === undefined) throw new Error('there is no line yet');
    return line;
  });

/** The ids of an organisation, and the places in its lists, as addresses have them. */
async function namedOf(side: AnySide): Promise<Pair[]> {
  const { organisationId: org, ids } = side;
  const asked = await newestOf(
    () => harness.rows<{ at: string; id: string; requestId: string }>`
      select (extract(epoch from created_at) * 1000)::bigint::text as at, id::text, request_id as "requestId"
      from request_log where org_id = ${org} order by created_at desc limit 1`,
  );
  const act = await newestOf(
    () => harness.rows<{ at: string; subject: string; sequence: number }>`
      select (extract(epoch from created_at) * 1000)::bigint::text as at, subject_id as subject, sequence
      from ledger where org_id = ${org} order by created_at desc limit 1`,
  );
  const places: Pair[] = [
    [`${asked.at}-${asked.id}`, `${asked.at}-${BigInt(asked.id) + 1n}`],
    [`${act.at}_${act.subject}_${act.sequence}`, `${act.at}_${beside(act.subject)}_${act.sequence}`],
  ];
  const all = [...Object.values(ids), org, await heldBy(side), asked.requestId];
  return [...all.map((id): Pair => [id, beside(id)]), ...places];
}

const named = { Acme: await namedOf(two.Acme), Globex: await namedOf(two.Globex) };

const parameters = consolePages.flatMap((page) => (page.query ?? []).map((name) => ({ page, name })));

test('only pages that somebody of an organisation or the operator opens read a parameter', () => {
  const others = parameters.filter(({ page }) => page.method !== 'GET' || !(page.for in rights));
  expect(others).toEqual([]);
  expect(parameters.length).toBeGreaterThan(20);
});

type Name = keyof typeof two;
type Crossing = { visitor: Visitor; here: Name; there: Name };

/** Who may open the page, in both organisations, with the other one. An operator sees all of them. */
const crossings = (right: keyof typeof rights): [string, Crossing][] =>
  consoleRoles
    .filter((role) => may(role, right))
    .flatMap((role) =>
      (role === 'operator' ? (['Acme'] as const) : (['Acme', 'Globex'] as const)).map((here) => {
        const joined: Partial<Record<ConsoleRole, Joined>> = two[here].joined;
        const there = here === 'Acme' ? 'Globex' : 'Acme';
        return [`${role} of ${here}`, { visitor: joined[role]?.visitor as Visitor, here, there }];
      }),
    );

describe.each(parameters.map(({ page, name }) => [`${page.path}?${name}=`, page, name] as const))(
  '%s with something of another organisation',
  (_, page, name) => {
    const right = page.for as keyof typeof rights;

    test.each(crossings(right))(
      'is the same to the %s as with what nobody has, and shows nothing of it',
      async (_who, { visitor, here, there }) => {
        const path = targetOf(page.path, two[here].ids);
        const answerTo = async (text: string, pair: Pair) => {
          const { status, html } = await visitor.get(`${path}?${new URLSearchParams({ [name]: text })}`);
          // A page can repeat what was asked, and an operator sees each organisation.
          return pair.reduce(
            (answer, each) => answer.replaceAll(each, 'TEXT'),
            `${status} ${withoutTokens(html)}`,
          );
        };
        const answerToBoth = async (pair: Pair) => {
          const [answer = '', other] = await Promise.all(pair.map((text) => answerTo(text, pair)));
          if (answer !== other) throw new Error(`${pair}: the answers differ`);
          return answer;
        };
        for (const pair of named[there]) {
          // A figure of the page can change between the two.
          const answer = await vi.waitFor(() => answerToBoth(pair), { timeout: 5_000, interval: 200 });
          const shown =
            right === 'operators.see' ? [] : two[there].words.filter((word) => answer.includes(word));
          expect([pair[0], shown]).toEqual([pair[0], []]);
        }
      },
    );
  },
);
