import type { FewAtOnceOptions } from '#activities/checks/document/few-at-once.ts';
import { startDocumentMasker } from '#activities/checks/document/masking/masker.ts';
import { startPictureLooker } from '#activities/checks/document/quick/looker.ts';
import { startDocumentReader } from '#activities/checks/document/reader.ts';
import { startFaceComparer } from '#activities/checks/face/comparer.ts';
import { startIncomeReader } from '#activities/checks/income/reader.ts';
import { startLivenessMeasurer } from '#activities/checks/liveness/measurer.ts';
import { startBanks } from '#activities/eid/banks.ts';
import type { Engines } from '#activities/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { IncomeConfig } from '#platform/config/config.ts';
import type { AddressRules } from '#platform/outbound/addresses.ts';
import { readAnchors } from './income-anchors.ts';

/**
 * Starts what opens pictures and reads answers of banks for the worker, each in isolated programs of its own. The caller must close it
 * after the worker has stopped. Tests replace some by `own`.
 */
export function startEngines(
  isolated: FewAtOnceOptions,
  { addresses, clock, income }: { addresses: AddressRules; clock: Clock; income: IncomeConfig },
  own: Partial<Engines> = {},
) {
  const papersBy = { ...isolated, anchors: readAnchors(income), signedTypes: income.signedTypes };
  const parts: Engines = {
    documents: own.documents ?? startDocumentReader(isolated),
    faces: own.faces ?? startFaceComparer(isolated),
    liveness: own.liveness ?? startLivenessMeasurer(isolated),
    papers: own.papers ?? startIncomeReader(papersBy),
    masker: own.masker ?? startDocumentMasker(isolated),
    looker: own.looker ?? startPictureLooker(isolated),
    banks: own.banks ?? startBanks({ ...isolated, addresses, clock }),
  };
  return {
    parts,
    close: () => Promise.all(Object.values(parts).map((part) => part.close())),
  };
}
