import type { Store } from '#store/connection.ts';
import { findSettings } from '#store/organisations.ts';

/** Returns undefined if no organisation has this name. */
export const readSettings = ({ db }: Pick<Store, 'db'>, organisation: string) =>
  findSettings(db, organisation);
