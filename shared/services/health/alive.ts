import type { Health } from '#contract/health.ts';
import { version } from '#platform/version.ts';

/** This check depends on no other server, so it succeeds as long as the process runs (specification 4.1, 9). */
export const alive = async (): Promise<Health> => ({ status: 'ok', version });
