import type { CheckResult } from '#contract/enums.ts';
import type { Result, Signal } from '#contract/income/papers.ts';
import { type UnreadableReason, unreadableReasons } from '#contract/income/signs.ts';
import type { Check } from '#contract/workflows.ts';
import type { ShownPaper, ShownPapers } from '#services/personal/papers.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import type { MemberRequest } from '../../request.ts';
import { dayIn, eurosIn } from '../../values/money.ts';
import { namedValues } from '../../values/sign-values.ts';

/** A sign with its number, which its mark on the page has too, and the result of its check. */
type Sign = { number: number; signal: Signal; result: CheckResult };

/** A document with its place among all of them, from 1. */
type Paper = { document: ShownPaper; place: number; signs: readonly Sign[] };

const strongestFirst: readonly CheckResult[] = ['failed', 'doubt', 'passed', 'not_applicable'];

/** The documents of an income check, each with its pages and beside them what was seen on it. The page needs `hasPictures`. */
export function papers(
  request: MemberRequest,
  { documents, signals }: ShownPapers,
  checks: readonly Check[],
): Markup {
  let number = 0;
  return html`
    ${documents.map((document, index) => {
      const signs = signsOf(document, signals, checks).map((sign) => ({ ...sign, number: ++number }));
      return paper(request, { document, place: index + 1, signs });
    })}
  `;
}

const signsOf = ({ id }: ShownPaper, signals: readonly Signal[], checks: readonly Check[]) =>
  signals
    .filter(({ documentId }) => documentId === id)
    .map((signal) => ({ signal, result: resultOf(signal, checks) }))
    .toSorted((one, other) => strongestFirst.indexOf(one.result) - strongestFirst.indexOf(other.result));

const resultOf = ({ kind, documentId }: Signal, checks: readonly Check[]): CheckResult =>
  checks.find((check) => check.kind === kind && check.documentId === documentId)?.result ?? 'doubt';

function paper(request: MemberRequest, { document, place, signs }: Paper): Markup {
  const t = request.text.income;
  const type = document.type === null ? t.unknownType : t.types[document.type];
  const name = `${t.document} ${place}: ${type}`;
  const id = `document-${place}`;
  return html`
    <section class="paper" aria-labelledby=${id}>
      <h3 id=${id}>${name}</h3>
      <div class="beside">
        ${document.pages.length === 0 ? notShown(request, signs) : html`<div>${document.pages.map((_, page) => pageOf(request, { document, place, signs }, page))}</div>`}
        <div>
          <h4>${t.signs}</h4>
          ${signs.length === 0 ? html`<p>${t.noSigns}</p>` : html`<ol class="signs">${signs.map((sign) => signItem(request, sign, { document, place }))}</ol>`}
        </div>
      </div>
    </section>
  `;
}

/** Says why, where a sign does. */
function notShown({ text }: MemberRequest, signs: readonly Sign[]): Markup {
  const why = signs
    .map(({ signal: { sign } }) => sign)
    .find((sign): sign is UnreadableReason => unreadableReasons.some((reason) => reason === sign));
  return html`<p>${text.income.notShown} ${why && text.signs[why]}</p>`;
}

const pageId = (place: number, page: number) => `page-${place}-${page + 1}`;

/** As a picture of a person: the link makes it fill the window, and no script is needed. */
function pageOf({ text }: MemberRequest, { document, place, signs }: Paper, page: number): Markup {
  const t = text.reviews;
  const { document: word, page: pageWord } = text.income;
  const name = `${word} ${place}, ${pageWord.toLowerCase()} ${page + 1}`;
  const id = pageId(place, page);
  const address = `data:image/jpeg;base64,${document.pages[page]?.toString('base64')}`;
  const size = document.pageSizes[page];
  const onPage = signs.filter(({ signal }) => signal.page === page);
  return html`
    <figure id=${id} class="picture sheet">
      <div class="marked">
        <a class="open" href=${`#${id}`} aria-label=${`${t.enlarge}: ${name}`}><img src=${address} alt=${name} /></a>
        ${size && marks(size, onPage)}
      </div>
      <a class="close" href="#main">${t.shrink}</a>
      <figcaption>${pageWord} ${page + 1}</figcaption>
    </figure>
  `;
}

/** In points: the space around what is marked. */
const margin = 2;
/** The part of the longer side of a page that a number is high. Beside a mark it needs the room of three. */
const digitShare = 1 / 72;
const roomForDigits = 3;

/** Outlines with numbers, in the points of the page, so that they fit whatever the size of its picture. The list says what they mean. */
function marks([width, height]: ShownPaper['pageSizes'][number], signs: readonly Sign[]): Markup {
  const places = Map.groupBy(
    signs.filter(({ signal }) => signal.box !== null),
    ({ signal }) => String(signal.box?.map(Math.round)),
  );
  const high = Math.max(width, height) * digitShare;
  return html`
    <svg viewBox=${`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      ${[...places.values()].map((here) => {
        const [left = 0, top = 0, right = 0, bottom = 0] = here[0]?.signal.box ?? [];
        const isRight = left < high * roomForDigits;
        return html`
          <rect x=${left - margin} y=${top - margin} width=${Math.max(right - left, 0) + 2 * margin} height=${Math.max(bottom - top, 0) + 2 * margin} />
          <text x=${isRight ? right + 2 * margin : left - 2 * margin} y=${bottom} font-size=${high} text-anchor=${isRight ? 'start' : 'end'}>${here.map(({ number }) => number).join(', ')}</text>
        `;
      })}
    </svg>
  `;
}

function signItem(
  { language, text }: MemberRequest,
  { number, signal, result }: Sign,
  { document, place }: Omit<Paper, 'signs'>,
): Markup {
  const v = text.verifications;
  const { onPage } = text.income;
  const { page, kind, sign } = signal;
  const at = page === null ? null : `${onPage} ${page + 1}`;
  const isShown = page !== null && document.pages[page] !== undefined;
  return html`
    <li class="sign" value=${number}>
      ${/* One that a newer version wrote has no text yet. */ text.signs[sign] ?? sign} ${isShown ? html`<a href=${`#${pageId(place, page)}`}>${at}</a>` : at}
      ${namedValues(language, signal).map(({ name, value }) => html`<br />${name}: <bdi><strong>${value}</strong></bdi>`)}
      <br /><small>${v.checks[kind]}: <span class=${`tag ${result}`}>${v.results[result]}</span></small>
    </li>
  `;
}

/** What the documents say of the income. */
export function incomeOf({ language, text }: MemberRequest, result: Result | null): Markup {
  const t = text.income;
  if (result === null) return html`<h2>${t.result}</h2><p>${t.noResult}</p>`;
  const { periodStart, periodEnd, payFrequency } = result;
  const euros = (cents: number | null) => (cents === null ? null : eurosIn(language, cents));
  const period = [periodStart, periodEnd].map((day) => (day === null ? t.notRead : dayIn(language, day)));
  const shown: [string, string | null][] = [
    [t.fields.employer, result.employerName],
    [t.fields.period, periodStart === null && periodEnd === null ? null : period.join(' – ')],
    [t.fields.gross, euros(result.grossCents)],
    [t.fields.net, euros(result.netCents)],
    [t.fields.yearly, euros(result.annualGrossEstimateCents)],
    [t.fields.frequency, payFrequency && t.frequencies[payFrequency]],
  ];
  return html`
    <h2>${t.result}</h2>
    <dl>${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value ?? t.notRead}</dd></div>`)}</dl>
  `;
}
