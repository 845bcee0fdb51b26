import { isIncome } from '#contract/enums.ts';
import { may } from '#policy/rights.ts';
import { findKeptEvidence, type KeptEvidence } from '#services/reviews/evidence.ts';
import { notesOf } from '#services/reviews/notes.ts';
import type { Shown } from '#services/reviews/pictures.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { form, when } from '../../parts.ts';
import type { MemberRequest } from '../../request.ts';
import type { Found } from './find-verification.ts';
import { incomeOf, papers } from './papers.ts';
import { pictures } from './pictures.ts';

/**
 * The evidence of a verification for those who may see it. The page says what is kept, and shows it only as the answer to a form: a look
 * must be wanted, because it is a line of the ledger.
 */
export async function evidenceSection(
  request: MemberRequest,
  found: Found,
  shown: Shown | undefined,
): Promise<Markup | null> {
  const { ctx, member, text } = request;
  if (!may(member.role, 'evidence.see')) return null;
  const kept = await findKeptEvidence(ctx, found.caller, found.row);
  const t = text.evidence;
  return html`
    <h2 id="evidence">${t.title}</h2>
    ${shown === undefined ? null : opened(request, found, shown)}
    ${whatIsKept(request, found, kept, shown === undefined ? t.show : t.again)}
    ${await notes(request, found)}
    ${kept.isInQueue && may(member.role, 'queue.decide') ? html`<p>${t.waits}</p>${form(request, `/review/${found.row.id}/claim`, html`<button>${t.review}</button>`)}` : null}
  `;
}

/** What reviewers wrote for colleagues. */
async function notes({ ctx, text }: MemberRequest, { caller, row }: Found): Promise<Markup | null> {
  const written = await notesOf(ctx, caller, row);
  if (written.length === 0) return null;
  return html`
    <h3>${text.evidence.notes}</h3>
    ${written.map((note) => html`<p class="note"><span class=${`tag ${note.outcome}`}>${text.verifications.outcomes[note.outcome]}</span> ${note.text}</p>`)}
  `;
}

function opened(request: MemberRequest, { row }: Found, shown: Shown): Markup {
  const { papers: documents } = shown;
  return html`
    ${pictures(request, shown)}
    ${documents && papers(request, documents, row.verdict?.checks ?? [])}
    ${documents && incomeOf(request, documents.result)}
  `;
}

function whatIsKept(request: MemberRequest, { row, environment }: Found, kept: KeptEvidence, button: string) {
  const t = request.text.evidence;
  if (kept.state === 'gone') return html`<p>${t.gone} ${when(request, kept.since)}.</p>`;
  if (kept.state !== 'kept') return html`<p>${t[kept.state]}</p>`;
  const ofIncome = isIncome(row.method);
  const { kinds: names } = request.text.reviews;
  const inOrder = (Object.keys(names) as (keyof typeof names)[]).filter((kind) => kept.kinds.includes(kind));
  return html`
    <p>${t.kept} ${inOrder.map((kind) => names[kind]).join('; ')}. ${environment === 'live' ? t.logged : ofIncome ? request.text.income.sandbox : t.sandbox}
      ${kept.endsAt === null ? null : html` ${ofIncome ? request.text.income.until : t.until} ${when(request, kept.endsAt)}.`}</p>
    ${form(request, `/verifications/${row.id}/evidence`, html`<button class="secondary">${button}</button>`)}
  `;
}
