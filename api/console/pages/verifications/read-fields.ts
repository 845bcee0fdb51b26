import type { ReadDocument, ReadField, ReadPlace } from '#contract/documents/read-fields.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import type { MemberRequest } from '../../request.ts';
import { table } from '../../table.ts';

/** True if a person should look at the field first. */
const isInDoubt = ({ agreed, inPrint }: ReadField): boolean => !agreed || inPrint === false;

/** The values that were read of a document, with the numbers that are on its pictures. */
export function readTable({ text }: MemberRequest, { fields }: ReadDocument): Markup {
  const t = text.readFields;
  const print = ({ inPrint }: ReadField) =>
    inPrint === null ? t.print.uncompared : inPrint ? t.print.same : t.print.missing;
  return html`
    <div class="fields">
    <h2>${t.title}</h2>
    ${table(
      { label: t.title, columns: [t.columns.field, t.columns.zone, t.columns.print], names: 0 },
      fields.map((field, place) => ({
        cells: [
          `${place + 1}. ${t.names[field.field]}`,
          html`${field.value}${field.agreed ? null : html` <span class="tag doubt">${t.unsure}</span>`}`,
          html`<span class=${field.inPrint === false ? 'tag doubt' : undefined}>${print(field)}</span>`,
        ],
      })),
    )}
    <p><small>${t.about}</small></p>
    </div>
  `;
}

/** A picture is so many units high. */
const high = 1_000;
/** How high a number is, in the same units. */
const digitHigh = 26;

/** Outlines with numbers on one side of a document. The table says what they mean, so nobody needs to see them. */
export function readMarks({ ratios, fields }: ReadDocument, side: ReadPlace['side']): Markup | null {
  const ratio = ratios[side === 'front' ? 0 : 1];
  if (ratio === undefined) return null;
  return html`
    <svg viewBox=${`0 0 ${Math.round(ratio * high)} ${high}`} preserveAspectRatio="none" aria-hidden="true">
      ${fields.map((field, place) =>
        [field.zone, ...field.print]
          .filter((each) => each.side === side)
          .map((each) => markOf(each, ratio, `${place + 1}`, isInDoubt(field))),
      )}
    </svg>
  `;
}

/** The number stands before what it marks, or behind it at the edge of the picture. */
function markOf({ corners }: ReadPlace, ratio: number, number: string, isDoubtful: boolean): Markup {
  const points = corners.map(([x, y]) => [Math.round(x * ratio * high), Math.round(y * high)] as const);
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const isBefore = left > 2 * digitHigh;
  const middle = (Math.min(...ys) + Math.max(...ys)) / 2;
  return html`
    <polygon points=${points.map((point) => point.join()).join(' ')} class=${isDoubtful ? 'doubt' : undefined} />
    <text x=${isBefore ? left - gap : right + gap} y=${Math.round(middle + digitHigh / 3)} font-size=${digitHigh}
      text-anchor=${isBefore ? 'end' : 'start'} class=${isDoubtful ? undefined : 'plain'}>${number}</text>
  `;
}

/** Between a number and what it marks. */
const gap = 6;
