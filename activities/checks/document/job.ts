import type { Check } from '#contract/workflows.ts';
import type { Grey } from './grey.ts';

/** What crosses into the thread: front and back, decoded, and a calendar day, as `2026-11-21`. */
export type Job = { pictures: Grey[]; today: string };
/** What comes back; undefined when the examination broke down. */
export type Result = { checks: Check[] | undefined };
