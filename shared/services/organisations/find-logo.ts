import type { Store } from '#store/database/connection.ts';
import { findLogoOfAnyOrganisation } from '#store/organisations/organisations.ts';

/** Returns the PNG whose SHA-256 this is, if it is the logo of an organisation. */
export const findLogo = ({ db }: Pick<Store, 'db'>, sha256: Buffer): Promise<Buffer | undefined> =>
  findLogoOfAnyOrganisation(db, sha256);
