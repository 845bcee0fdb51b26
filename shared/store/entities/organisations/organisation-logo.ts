import { defineEntity, p } from '@mikro-orm/core';
import { bytes, instant } from '../columns.ts';

/** The logo of an organisation, apart from its settings: pages that do not show it never read it. */
export const OrganisationLogo = defineEntity({
  name: 'OrganisationLogo',
  tableName: 'organisation_logos',
  properties: {
    orgId: p.uuid().primary(),
    /** Of `picture`. It is part of the address of the picture. */
    sha256: bytes(),
    /** A PNG that the picture program drew anew. */
    picture: bytes(),
    changedAt: instant().defaultRaw('now()'),
  },
  indexes: [{ properties: ['sha256'] }],
});
