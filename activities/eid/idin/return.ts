import type { Returned } from '#contract/eid.ts';

/** What iDIN adds to the address of the return. Each name must be there once. Undefined if it has not the form of the scheme. */
export function parseReturn(query: URLSearchParams): Returned | undefined {
  const [transactionId, entranceCode] = [only(query, 'trxid'), only(query, 'ec')];
  const isFit = /^\d{16}$/.test(transactionId) && /^[A-Za-z0-9]{1,40}$/.test(entranceCode);
  return isFit ? { transactionId, entranceCode } : undefined;
}

function only(query: URLSearchParams, name: string): string {
  const [value = '', ...more] = query.getAll(name);
  return more.length === 0 ? value : '';
}
