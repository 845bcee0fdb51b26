export { delivery } from './delivery.ts';
export { dossier } from './dossier.ts';
export { housekeeping } from './housekeeping.ts';
export { purge } from './purge.ts';
export { signLedger } from './sign-ledger.ts';
export { verification } from './verification.ts';
