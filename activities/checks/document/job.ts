import type { Check } from '#contract/workflows.ts';
import type { Grey } from './grey.ts';

/** The message to the thread. `pictures` are the decoded pictures, front first. `today` is a calendar day such as `2026-11-21`. */
export type Job = { pictures: Grey[]; today: string };
/** The thread's answer. `checks` is undefined if the examination failed. */
export type Result = { checks: Check[] | undefined };
