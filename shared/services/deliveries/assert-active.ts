import { Problem } from '#contract/errors.ts';

/** Nothing is sent to an endpoint that was deactivated (decisions 29 and 32). */
export function assertActive({ active }: { active: boolean }): void {
  if (!active) throw new Problem('webhook_inactive');
}
