export { delivery } from './delivery.ts';
export { verification } from './verification.ts';
