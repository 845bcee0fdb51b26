import { type Annotation, type Box, paperLimits } from '#contract/income/papers.ts';
import { type Matrix, moved } from './drawn.ts';
import type { Pdfium } from './pdfium.ts';
import { TooComplex } from './too-complex.ts';

/** PDFium's numbers for kinds of annotations. Any other one counts only if it draws print or a picture, as those for markings can. */
const kinds: Readonly<Record<number, Annotation['kind']>> = {
  ...{ 3: 'free_text', 5: 'shape', 6: 'shape', 7: 'shape', 8: 'shape', 13: 'stamp', 15: 'shape' },
  ...{ 17: 'attachment', 20: 'field', 28: 'redaction' },
};
const hiddenFlags = 0b10_0010;

export function annotationsOf(pdfium: Pdfium, page: number, toShown: Matrix): Annotation[] {
  const count = pdfium.call('FPDFPage_GetAnnotCount', page);
  const found: Annotation[] = [];
  if (count > annotationsMax) throw new TooComplex();
  for (let index = 0; index < count; index++) {
    const annotation = pdfium.call('FPDFPage_GetAnnot', page, index);
    if (annotation === 0) continue;
    const one = annotationOf(pdfium, annotation, toShown);
    if (one !== undefined) found.push(one);
    pdfium.call('FPDFPage_CloseAnnot', annotation);
  }
  if (found.length > paperLimits.annotationsMax) throw new TooComplex();
  return found;
}

/** Links count too, and a table of contents has many. */
const annotationsMax = 5_000;

function annotationOf(pdfium: Pdfium, annotation: number, toShown: Matrix): Annotation | undefined {
  if ((pdfium.call('FPDFAnnot_GetFlags', annotation) & hiddenFlags) !== 0) return undefined;
  const value = (key: string) => pdfium.text('FPDFAnnot_GetStringValue', annotation, pdfium.key(key));
  const known = kinds[pdfium.call('FPDFAnnot_GetSubtype', annotation)] ?? 'other';
  const kind = known === 'field' && value('FT') === 'Sig' ? 'signature' : known;
  const words = [...new Set([value('Contents'), value('V')])].join(' ').trim();
  if (['other', 'signature'].includes(kind) && !drawsPrint(pdfium, annotation)) return undefined;
  if (kind === 'field' && words === '' && !drawsPrint(pdfium, annotation)) return undefined;
  if (words.length > textMax) throw new TooComplex();
  const [left = 0, top = 0, right = 0, bottom = 0] = pdfium.filled('FPDFAnnot_GetRect', 4, annotation) ?? [];
  return {
    ...{ kind, box: boxOf(moved([left, Math.min(top, bottom), right, Math.max(top, bottom)], toShown)) },
    text: words,
    opaque:
      kind === 'shape' ? pdfium.call('FPDFAnnot_HasKey', annotation, pdfium.key('IC')) === 1 : hides(kind),
  };
}

const hides = (kind: Annotation['kind']) => !['field', 'attachment'].includes(kind);

const textMax = 2_000;
const objectsMax = 2_000;
const depthMax = 8;
const objectKinds = { text: 1, image: 3, form: 5 } as const;

/** True if its appearance has print or a picture. PDFium does not say which print. */
function drawsPrint(pdfium: Pdfium, annotation: number): boolean {
  let objects = 0;
  const isPrint = (object: number, depth: number): boolean => {
    objects += 1;
    if (objects > objectsMax) throw new TooComplex();
    const kind = object === 0 ? 0 : pdfium.call('FPDFPageObj_GetType', object);
    if (kind !== objectKinds.form) return kind === objectKinds.text || kind === objectKinds.image;
    const count = depth < depthMax ? pdfium.call('FPDFFormObj_CountObjects', object) : 0;
    return anyOf(count, (index) => isPrint(pdfium.call('FPDFFormObj_GetObject', object, index), depth + 1));
  };
  return anyOf(pdfium.call('FPDFAnnot_GetObjectCount', annotation), (index) =>
    isPrint(pdfium.call('FPDFAnnot_GetObject', annotation, index), 0),
  );
}

function anyOf(count: number, test: (index: number) => boolean): boolean {
  for (let index = 0; index < count; index++) if (test(index)) return true;
  return false;
}

const boxOf = (area: readonly [number, number, number, number]): Box => [...area];
