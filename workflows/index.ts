export { delivery } from './delivery.ts';
export { housekeeping } from './housekeeping.ts';
export { verification } from './verification.ts';
