import type { Health } from '#contract/health.ts';
import { version } from '#platform/version.ts';

/** That this process lives, and which version of the product it is (specification 4.1, 9). */
export const alive = async (): Promise<Health> => ({ status: 'ok', version });
