import type { Health } from '#contract/health.ts';
import { version } from '#platform/version.ts';

/** This process lives, and this is its version (specification 4.1, 9). */
export const alive = async (): Promise<Health> => ({ status: 'ok', version });
