import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from '#test/supply-chain/lockfile.ts';

/** The rule applies to commits after this one. */
const lastBeforeTheRule = '2ed9e6166f34c507dfd138373db8a3b720c3e78e';

const types = ['build', 'chore', 'docs', 'feat', 'fix', 'perf', 'refactor', 'revert', 'style', 'test'];
const conventional = new RegExp(`^(?:${types.join('|')})(?:\\([a-z-]+\\))?!?: \\S`);
const lengthMax = 72;

function faultOf(subject: string): string | undefined {
  if (!conventional.test(subject)) return `not conventional: ${subject}`;
  if (subject.length > lengthMax) return `${subject.length} characters: ${subject}`;
  return undefined;
}

const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });

/** Says why the commits after `lastBeforeTheRule` cannot be listed, or undefined if they can. */
function whyNoHistory(): string | undefined {
  if (git('rev-parse', '--git-dir').status !== 0)
    return 'this is no checkout of git, so there are no commits';
  const isHere = git('merge-base', '--is-ancestor', lastBeforeTheRule, 'HEAD').status === 0;
  return isHere ? undefined : `this checkout has no history back to ${lastBeforeTheRule.slice(0, 7)}`;
}

test(`subjects of commits are conventional and have at most ${lengthMax} characters`, (context) => {
  const reason = whyNoHistory();
  if (reason !== undefined) context.skip(reason);
  const { stdout } = git('log', '--no-merges', '--format=%s', `${lastBeforeTheRule}..HEAD`);
  const subjects = stdout.split('\n').filter((subject) => subject !== '');
  expect(subjects.map(faultOf).filter((fault) => fault !== undefined)).toEqual([]);
});

test.each([
  ['fix(store): a lost claim is found again', undefined],
  ['build: Node is a locked package', undefined],
  ['feat(api)!: v2', undefined],
  [`docs: ${'x'.repeat(66)}`, undefined],
  [`docs: ${'x'.repeat(67)}`, `73 characters: docs: ${'x'.repeat(67)}`],
  ['x', 'not conventional: x'],
  ['fixed: the claim', 'not conventional: fixed: the claim'],
  ['fix(store):', 'not conventional: fix(store):'],
])('of %j is said: %s', (subject, fault) => {
  expect(faultOf(subject)).toBe(fault);
});
