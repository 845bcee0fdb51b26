import { beforeEach, describe, expect, test } from 'vitest';
import { createTurns, type Turn, type Turns } from '#services/attempts/turns.ts';
import { fc } from '#test/support/seed.ts';

let nowMs: number;
let turns: Turns;
const limits = { attempts: 200, perEndpoint: 20 };
const clock = { monotonicMs: () => nowMs };
beforeEach(() => {
  nowMs = 1_000_000;
  turns = createTurns(limits, clock);
});

const at = (orgId: string, endpointId: string) => ({ orgId, endpointId });
/** Takes turns until one is refused, and returns those that were granted. */
function fill(whereto: ReturnType<typeof at>): Turn[] {
  const granted: Turn[] = [];
  for (let turn = turns.take(whereto); turn.granted; turn = turns.take(whereto)) granted.push(turn);
  return granted;
}
const endAll = (all: Turn[]) => {
  for (const turn of all) if (turn.granted) turn.end(true);
};
const refusedWait = (whereto: ReturnType<typeof at>): number => {
  const turn = turns.take(whereto);
  if (turn.granted) throw new Error('granted');
  return turn.waitMs;
};

test('an endpoint has no more under way than its cap, and as soon as one ends there is room for one', () => {
  const granted = fill(at('a', 'a1'));
  expect(granted).toHaveLength(limits.perEndpoint);
  endAll(granted.slice(0, 1));
  expect(fill(at('a', 'a1'))).toHaveLength(1);
});

test('an endpoint at its cap takes nothing from another of the same organisation', () => {
  fill(at('a', 'a1'));
  expect(fill(at('a', 'a2'))).toHaveLength(20);
});

test('an organisation with 500 endpoints that hang holds a quarter of what it leaves free, a fifth', () => {
  for (let n = 0; n < 500; n++) fill(at('a', `a${n}`));
  expect(refusedWait(at('a', 'a500'))).toBeGreaterThan(0);
  let held = 0;
  for (const free = createTurns(limits, clock); free.take(at('a', `a${held}`)).granted; ) held += 1;
  expect(held).toBe(40);
});

test('beside fifty such organisations, once the first attempts have ended, a new one still gets its turn', () => {
  const held: Turn[] = [];
  for (let n = 0; n < 5_000; n++) {
    const turn = turns.take(at(`org ${n % 50}`, `endpoint ${n}`));
    if (turn.granted) held.push(turn);
    else endAll(held.splice(0, 1));
  }
  expect(turns.take(at('new', 'new'))).toMatchObject({ granted: true });
});

test('thousands of endpoints that are done with are forgotten, and those under way are not', () => {
  fill(at('a', 'a1'));
  for (let n = 0; n < 12_000; n++) endAll([turns.take(at('b', `b${n}`))]);
  expect(refusedWait(at('a', 'a1'))).toBeGreaterThan(0);
});

test('of those that are done with, the ones used last are remembered', () => {
  experience(at('a', 'early'), 100);
  experience(at('a', 'late'), 100);
  for (let n = 0; n < 9_990; n++) endAll([turns.take(at('b', `b${n}`))]);
  experience(at('a', 'late'), 100);
  for (let n = 0; n < 100; n++) endAll([turns.take(at('c', `c${n}`))]);
  expect(turns.isFast('early')).toBe(false);
  expect(turns.isFast('late')).toBe(true);
});

test('first waits are a second and longer, and the next in line comes later than the one before', () => {
  fill(at('a', 'a1'));
  const waits = Array.from({ length: 50 }, () => refusedWait(at('a', 'a1')));
  expect(waits[0]).toBeGreaterThanOrEqual(1_000);
  expect(waits[0]).toBeLessThan(1_300);
  // An attempt is expected to take a second, and twenty run at once. So one place in the queue is 50 ms.
  expect(waits[49]).toBeGreaterThan(1_000 + 49 * 50);
});

/** Makes a hundred attempts of this length at the endpoint, one after the other. */
function experience(whereto: ReturnType<typeof at>, tookMs: number): void {
  for (let n = 0; n < 100; n++) {
    const turn = turns.take(whereto);
    nowMs += tookMs;
    endAll([turn]);
  }
}

test('the line moves at the pace of the receiver, up to five minutes', () => {
  experience(at('a', 'a1'), 15_000);
  turns.take(at('a', 'a1'));
  const place = 15_000 / 20;
  const first = refusedWait(at('a', 'a1'));
  expect(first).toBeGreaterThan(1_000 + place * 0.95);
  expect(first).toBeLessThan((1_000 + place) * 1.1);
  const waits = Array.from({ length: 2_000 }, () => refusedWait(at('a', 'a1')));
  expect(Math.max(...waits)).toBeLessThanOrEqual(330_000);
  expect(waits.at(-1)).toBeGreaterThanOrEqual(300_000);
});

test('a slow receiver gets its attempts one after the other, so that they do not end together; a quick one at once', () => {
  experience(at('a', 'slow'), 15_000);
  expect(fill(at('a', 'slow'))).toHaveLength(1);
  nowMs += 15_000 / 20 / 2 + 1;
  expect(fill(at('a', 'slow'))).toHaveLength(1);
  experience(at('a', 'quick'), 100);
  expect(fill(at('a', 'quick'))).toHaveLength(20);
});

test('a receiver that was slow and is quick again has all its places back', () => {
  experience(at('a', 'a1'), 15_000);
  experience(at('a', 'a1'), 50);
  expect(fill(at('a', 'a1'))).toHaveLength(20);
});

test('a receiver counts as fast after some attempts that ended soon, and no longer after one that hung', () => {
  const one = at('a', 'a1');
  expect(turns.isFast('a1')).toBe(false);
  experience(one, 100);
  expect(turns.isFast('a1')).toBe(true);
  const turn = turns.takeNow(one);
  nowMs += 15_000;
  turn?.end(false);
  expect(turns.isFast('a1')).toBe(false);
});

test('who begins at once takes a place like everybody, and none beyond the cap', () => {
  const begun = Array.from({ length: 30 }, () => turns.takeNow(at('a', 'a1'))).filter(
    (turn) => turn !== undefined,
  );
  expect(begun).toHaveLength(20);
  expect(turns.take(at('a', 'a1'))).toMatchObject({ granted: false });
  nowMs += 400_000;
  endAll(begun);
  expect(turns.takeNow(at('b', 'b1'))).toMatchObject({ granted: true });
});

test('who may not begin at once keeps no place in the queue by having asked', () => {
  const begun = fill(at('a', 'a1'));
  const waitMs = refusedWait(at('a', 'a1'));
  for (let n = 0; n < 100; n++) turns.takeNow(at('a', 'a1'));
  expect(refusedWait(at('a', 'a1'))).toBeLessThan(waitMs + 300);
  endAll(begun);
});

test('an endpoint that failed five times in a row gets one first attempt in a second, until one is accepted', () => {
  const one = at('a', 'a1');
  const attempt = (isAccepted?: boolean) => {
    const turn = turns.takeNow(one);
    turn?.end(isAccepted);
    return turn !== undefined;
  };
  for (let n = 0; n < 5; n++) expect(attempt(false)).toBe(true);
  expect(attempt(false)).toBe(false);
  nowMs += 999;
  expect(attempt(false)).toBe(false);
  nowMs += 1;
  expect(attempt(true)).toBe(true);
  expect(attempt(false)).toBe(true);
  expect(attempt(false)).toBe(true);
});

test('retries of an endpoint that keeps failing do not shut out its first attempts', () => {
  const one = at('a', 'a1');
  for (let n = 0; n < 5; n++) turns.takeNow(one)?.end(false);
  let first = 0;
  for (let n = 0; n < 20; n++) {
    nowMs += 500;
    const turn = turns.take(one);
    if (turn.granted) turn.end(false);
    const begun = turns.takeNow(one);
    if (begun) first += 1;
    begun?.end(false);
  }
  expect(first).toBeGreaterThanOrEqual(9);
});

test('a turn in which no attempt was made says nothing about its receiver', () => {
  const one = at('a', 'a1');
  for (let n = 0; n < 9; n++) turns.takeNow(one)?.end();
  expect(turns.takeNow(one)).toBeDefined();
  expect(turns.isFast('a1')).toBe(false);
});

test('in any order of beginnings and ends no cap is passed and no turn is leaked', () => {
  const step = fc.record({ org: fc.nat(3), endpoint: fc.nat(3), end: fc.boolean(), pick: fc.nat() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      turns = createTurns({ attempts: 12, perEndpoint: 2 }, clock);
      const held: { id: string; turn: Turn }[] = [];
      const take = (org: string, id: string) => {
        const turn = turns.take(at(org, id));
        if (turn.granted) held.push({ id, turn });
        expect(held.filter((one) => one.id === id).length).toBeLessThanOrEqual(2);
        expect(held.length).toBeLessThan(12);
      };
      for (const { org, endpoint, end, pick } of steps)
        if (end) endAll(held.splice(pick % Math.max(held.length, 1), 1).map(({ turn }) => turn));
        else take(`org ${org}`, `${org} ${endpoint}`);
      endAll(held.map(({ turn }) => turn));
      expect(fill(at('org 0', '0 0'))).toHaveLength(2);
    }),
  );
});

describe('an organisation with a budget of 600 deliveries a minute', () => {
  const begun = (orgId: string, tries: number) => {
    let count = 0;
    for (let n = 0; n < tries; n++) {
      const turn = turns.takeNow(at(orgId, `${orgId} ${n}`));
      turn?.end(true);
      if (turn !== undefined) count += 1;
    }
    return count;
  };
  beforeEach(() => {
    turns = createTurns({ ...limits, deliveriesPerMinute: 600 }, clock);
  });

  test('begins six seconds of it at once, and then ten a second', () => {
    expect(begun('a', 100)).toBe(60);
    nowMs += 1_000;
    expect(begun('a', 100)).toBe(10);
    nowMs += 3_600_000;
    expect(begun('a', 100)).toBe(60);
  });

  test('takes nothing from the budget of another', () => {
    begun('a', 100);
    expect(begun('b', 100)).toBe(60);
  });

  test('may retry beyond it', () => {
    begun('a', 100);
    expect(turns.takeNow(at('a', 'a1'))).toBeUndefined();
    expect(turns.take(at('a', 'a1'))).toMatchObject({ granted: true });
  });

  test('uses nothing of it with a turn that began nothing', () => {
    for (let n = 0; n < 100; n++) turns.takeNow(at('a', 'a1'))?.giveBack();
    expect(begun('a', 100)).toBe(60);
  });

  test('is remembered beside thousands of endpoints', () => {
    begun('a', 100);
    for (let n = 0; n < 12_000; n++) endAll([turns.take(at('b', `b${n}`))]);
    expect(begun('a', 100)).toBe(0);
  });

  test('uses nothing of it where there is no turn', () => {
    const held = fill(at('a', 'full'));
    for (let n = 0; n < 100; n++) expect(turns.takeNow(at('a', 'full'))).toBeUndefined();
    endAll(held);
    expect(begun('a', 100)).toBe(60);
  });
});

test('a budget of less than ten a minute still lets one begin', () => {
  turns = createTurns({ ...limits, deliveriesPerMinute: 1 }, clock);
  expect(turns.takeNow(at('a', 'a1'))).toBeDefined();
  expect(turns.takeNow(at('a', 'a2'))).toBeUndefined();
  nowMs += 60_000;
  expect(turns.takeNow(at('a', 'a2'))).toBeDefined();
});
