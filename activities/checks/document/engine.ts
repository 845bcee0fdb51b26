import type { DocumentEngine } from '../port.ts';
export const startDocumentEngine = (): DocumentEngine => ({
  check: async () => [
    { kind: 'document_integrity', result: 'not_applicable', confidence: 0 },
    { kind: 'document_expiry', result: 'doubt', confidence: 0 },
    { kind: 'mrz_check_digits', result: 'doubt', confidence: 0 },
    { kind: 'data_consistency', result: 'doubt', confidence: 0 },
  ],
  close: async () => undefined,
});
