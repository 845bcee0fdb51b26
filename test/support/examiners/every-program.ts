import sharp from 'sharp';
import type { FewAtOnceOptions } from '#activities/checks/document/few-at-once.ts';
import { startDocumentMasker } from '#activities/checks/document/masking/masker.ts';
import { startPictureLooker } from '#activities/checks/document/quick/looker.ts';
import { startDocumentReader } from '#activities/checks/document/reader.ts';
import { startFaceComparer } from '#activities/checks/face/comparer.ts';
import { startLivenessMeasurer } from '#activities/checks/liveness/measurer.ts';
import type { MaskingRequest } from '#activities/checks/port.ts';
import { judgeFaces } from '#policy/faces.ts';
import { faces } from '../specimens/looks/scenes.ts';

export type Examiner = {
  /** The end of the name of its program. */
  file: string;
  /** Examines a picture, and says in words what was found. Rejects if there is no answer. */
  ask(picture: Uint8Array): Promise<string>;
  /** The words for the good passport, for a picture that shows nothing, and for one that is not opened. Undefined if there is no answer. */
  says: { 'the passport': string; nothing: string; refused: string | undefined };
  close(): Promise<void>;
};

const today = new Date('2026-11-21T12:00:00Z');
const request: MaskingRequest = {
  ...{ use: 'kept', organisation: 'Woonbedrijf', purpose: null, date: '2026-11-21' },
  ...{ language: 'nl', coverPortrait: false },
};

/** Each program of the checks that opens pictures, as the product starts it. */
export async function everyExaminer(options: FewAtOnceOptions): Promise<Record<string, Examiner>> {
  const [document, looker] = [startDocumentReader(options), startPictureLooker(options)];
  const [masker, comparer] = [startDocumentMasker(options), startFaceComparer(options)];
  const measurer = startLivenessMeasurer(options);
  const selfie = await faces([700]);
  const frame = await sharp(selfie).resize({ width: 480 }).jpeg().toBuffer();
  return {
    'examination of a document': {
      file: 'document/program.ts',
      async ask(front) {
        const { checks } = await document.check({ front, back: null }, today);
        return checks.flatMap(({ kind, result }) => (kind === 'document_integrity' ? [] : [result])).join();
      },
      says: {
        ...{ 'the passport': 'passed,passed,passed', nothing: 'doubt,doubt,doubt' },
        refused: 'doubt,doubt,doubt',
      },
      close: document.close,
    },
    look: {
      file: 'quick/program.ts',
      // Noise may look like text without a zone, or like no document.
      ask: async (picture) =>
        (await looker.look('passport_page', picture, today)) === 'fine' ? 'fine' : 'advice',
      says: { 'the passport': 'fine', nothing: 'advice', refused: undefined },
      close: looker.close,
    },
    masking: {
      file: 'masking/program.ts',
      async ask(front) {
        const { inDoubt } = await masker.mask({ front, back: null }, request);
        return inDoubt ? 'in doubt' : 'masked';
      },
      says: { 'the passport': 'masked', nothing: 'in doubt', refused: undefined },
      close: masker.close,
    },
    'comparison of faces': {
      file: 'face/program.ts',
      async ask(picture) {
        const compared = await comparer.compare(picture, selfie);
        return 'distance' in compared ? judgeFaces(compared.distance).result : compared.finding;
      },
      says: { 'the passport': 'passed', nothing: 'portrait_not_found', refused: undefined },
      close: comparer.close,
    },
    'measuring of movements': {
      file: 'liveness/program.ts',
      // The picture is the one that the frames are compared with.
      async ask(picture) {
        const [measured] = await measurer.measure(picture, [frame]);
        return typeof measured?.fromSelfie === 'number' ? 'compared' : 'not compared';
      },
      says: { 'the passport': 'compared', nothing: 'not compared', refused: 'not compared' },
      close: measurer.close,
    },
  };
}
