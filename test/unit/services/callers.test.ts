import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { everyRight, type Right } from '#policy/rights.ts';
import { type Caller, callerOfOperator } from '#services/caller.ts';
import type { Context } from '#services/context.ts';
import { createKey } from '#services/keys/create.ts';
import { findKey, listKeys } from '#services/keys/list.ts';
import { revokeKey } from '#services/keys/revoke.ts';
import { rotateKey } from '#services/keys/rotate.ts';

/** Each verb refuses a caller without its right, before it reads anything. */

const untouched = (part: string): object =>
  new Proxy(
    {},
    {
      get(_, name) {
        throw new Error(`it used ${part}.${String(name)}`);
      },
    },
  );
const nothing = new Proxy({}, { get: (_, part) => untouched(String(part)) }) as Context;
const id = '01990000-0000-7000-8000-000000000000';

/** Every verb for a caller, with the right that it needs. */
const verbs: Record<string, { needs: Right; call: (caller: Caller) => Promise<unknown> }> = {
  createKey: { needs: 'keys.change', call: (caller) => createKey(nothing, caller, { grants: [] }) },
  revokeKey: { needs: 'keys.change', call: (caller) => revokeKey(nothing, caller, { id }) },
  rotateKey: { needs: 'keys.change', call: (caller) => rotateKey(nothing, caller, { id, overlapMs: 0 }) },
  listKeys: { needs: 'keys.see', call: (caller) => listKeys(nothing, caller) },
  findKey: { needs: 'keys.see', call: (caller) => findKey(nothing, caller, { id }) },
};

const operator = callerOfOperator({ orgId: id, environment: 'live' });
const without = (right: Right): Caller => ({
  ...operator,
  rights: new Set([...everyRight].filter((each) => each !== right)),
});

describe.each(Object.entries(verbs))('%s', (_, { needs, call }) => {
  test(`refuses who has every right but ${needs}`, async () => {
    await expect(call(without(needs))).rejects.toMatchObject({ code: 'not_allowed' });
  });

  test('goes on for who has it', async () => {
    await expect(call(operator)).rejects.toThrow('it used');
  });
});

test('no verb for a caller is missing', () => {
  const folder = join(import.meta.dirname, '../../../shared/services');
  const found = globSync('*/*.ts', { cwd: folder }).flatMap((file) => {
    const statements = readFileSync(join(folder, file), 'utf8').split(/\n(?=\S)/);
    return statements.flatMap((statement) => {
      const [, name] = /^export (?:const|(?:async )?function) (\w+)/.exec(statement) ?? [];
      return name !== undefined && /\bcaller: Caller\b/.test(statement) ? [name] : [];
    });
  });
  expect(found.toSorted()).toEqual(Object.keys(verbs).toSorted());
});
