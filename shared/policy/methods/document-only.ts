import {
  decideByDocument,
  documentChecks,
  documentPictures,
  nextDocumentStep,
  sandboxRejected,
} from './document.ts';
import type { VerificationMethod } from './method.ts';

export const documentOnly: VerificationMethod = {
  evidence: { sandbox: documentPictures, live: documentPictures },
  unavailable: {},
  nextStep: (received) => nextDocumentStep(received) ?? 'confirm',
  sandbox: {
    kinds: documentChecks,
    passedConfidence: 0.99,
    review: {
      check: { kind: 'data_consistency', result: 'doubt', confidence: 0.55 },
      reason: 'document_data_in_doubt',
    },
    rejected: sandboxRejected,
  },
  examiner: 'document',
  decide: decideByDocument,
  assurance: 'low',
};
