import { defineEntity, p } from '@mikro-orm/core';
import type { Issuer } from '#contract/eid.ts';
import { bytes, instant } from '../columns.ts';

/** What an organisation agreed with its acquirer for iDIN, and the banks that the acquirer named last. */
export const EidContract = defineEntity({
  name: 'EidContract',
  tableName: 'eid_contracts',
  properties: {
    orgId: p.uuid().primary(),
    /** The contract as JSON, with the private key, in encrypted form. */
    value: bytes(),
    /** The bank encrypts nothing for a certificate that is over, so the contract does not work from then on. */
    certificateEndsAt: instant(),
    /** True if the other side is the simulator, which identifies nobody. */
    simulated: p.boolean(),
    issuers: p.json().$type<Issuer[]>(),
    issuersAt: instant().defaultRaw('now()'),
    changedAt: instant().defaultRaw('now()'),
  },
});
