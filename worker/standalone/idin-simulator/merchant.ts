import type { IdinContract } from '#activities/eid/idin/contract.ts';
import type { Issuer } from '#contract/eid.ts';
import type { SimulatorKeys } from './keys.ts';

/** The only merchant of the simulator, and the banks that it can choose from. */
export const merchantId = '0099000001';
export const legalId = 'NL99SIM000000001';
export const country = 'Nederland';
export const issuers: readonly Issuer[] = [
  { id: 'SIMBNL2A', name: 'Simulated Bank A', country },
  { id: 'SIMBNL2B', name: 'Simulated Bank B', country },
];

/** The contract with which the merchant speaks to a simulator at this address. */
export const contractAt = (url: string, { merchant, acquirer }: SimulatorKeys): IdinContract => ({
  ...{ merchantId, subId: 0, legalId },
  directoryUrl: `${url}/directory`,
  transactionUrl: `${url}/transaction`,
  statusUrl: `${url}/status`,
  ...merchant,
  acquirerCertificates: [acquirer.certificate],
});
