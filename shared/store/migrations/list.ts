import { Foundation } from './0001-foundation.ts';

/** In the order in which they run. A migration that has been released is never edited. */
export const migrationsList = [{ name: '0001-foundation', class: Foundation }];
