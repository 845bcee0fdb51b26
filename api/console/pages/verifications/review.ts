import { isIncome, type ReviewOutcome } from '#contract/enums.ts';
import { claimReview, releaseReview } from '#services/reviews/claim.ts';
import { decideReview } from '#services/reviews/decide.ts';
import { type Material, openMaterial } from '#services/reviews/material.ts';
import { ReviewRefused } from '#services/reviews/refused.ts';
import { reopenForReview } from '#services/reviews/reopen.ts';
import { reasonIn } from '#services/views/reason-in.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { form, when } from '../../parts.ts';
import type { Answer, ConsolePage, MemberRequest, View } from '../../request.ts';
import { notFound, refusing } from '../../trouble.ts';
import { type Found, findVerification } from './find-verification.ts';
import { incomeOf, papers } from './papers.ts';
import { pictures } from './pictures.ts';
import { queuePath } from './queue.ts';
import { checksOf } from './verdict.ts';

const decideMs = 8_000;

/** `outcome` is undefined if the form named none that exists. */
type Ticked = { outcome: ReviewOutcome | undefined; reasonIds: readonly string[] };

/** The page of the member who has the claim. Each time that it is shown is a look at the evidence. */
async function show(request: MemberRequest, found: Found, faulty?: Ticked): Promise<View> {
  const material = await openMaterial(request.ctx, found.caller, found.row);
  const { expiresAt } = await claimReview(request.ctx, found.caller, found.row);
  const t = request.text.reviews;
  return {
    title: `${t.one}: ${found.row.reference ?? request.text.verifications.noReference}`,
    hasPictures: true,
    ...(faulty && { status: 422 as const, isFaulty: true }),
    body: html`
      <p>${isIncome(material.method) ? request.text.income.claimed : t.claimed} ${when(request, expiresAt)}. ${t.extend}</p>
      <p><a href=${`/verifications/${found.row.id}`}>${request.text.evidence.history}</a></p>
      <div class=${material.papers === null ? 'assess' : 'assess papers'}>
        <section aria-label=${t.evidence}>${evidence(request, found, material)}</section>
        <section>${findings(request, material)}${decision(request, found, material, faulty)}</section>
      </div>
    `,
  };
}

function evidence(request: MemberRequest, found: Found, material: Material): Markup {
  const t = request.text.reviews;
  const income = request.text.income;
  const { basis, picturesEndAt, checks } = material;
  if (basis === 'other_way') return html`<h2>${t.evidence}</h2><p>${t.otherWay}</p>`;
  if (basis === 'gone')
    return html`<h2>${t.evidence}</h2><p role="alert">${isIncome(material.method) ? income.noEvidence : t.noEvidence}</p>`;
  return html`
    <h2>${t.evidence}</h2>
    <p>${found.environment === 'live' ? t.logged : isIncome(material.method) ? income.sandbox : t.sandbox}
      ${picturesEndAt === null ? null : html` ${isIncome(material.method) ? income.until : t.until} ${when(request, picturesEndAt)}.`}</p>
    ${pictures(request, material)}
    ${material.papers && papers(request, material.papers, checks)}
  `;
}

function findings(request: MemberRequest, { checks, reasonIds, unheeded, papers: shown }: Material): Markup {
  const { language, text } = request;
  const t = text.reviews;
  return html`
    <h2>${t.checks}</h2>
    ${reasonIds.map((id) => html`<p>${reasonIn(language, id)}</p>`)}
    ${unheeded.map(({ kind, advice }) => html`<p>${t.kinds[kind]}: ${t.unheeded[advice]} ${t.sentAsItIs}</p>`)}
    ${checks.length === 0 ? html`<p>${t.noChecks}</p>` : checksOf(language, checks)}
    ${shown && incomeOf(request, shown.result)}
  `;
}

function decision(request: MemberRequest, found: Found, { offered }: Material, faulty?: Ticked): Markup {
  const t = request.text.reviews;
  const path = `/review/${found.row.id}`;
  return html`
    <h2>${t.decision}</h2>
    <p>${t.alone}</p>
    ${faulty !== undefined && faulty.outcome === undefined ? html`<p role="alert"><strong class="fault">${request.text.evidence.noOutcome}</strong></p>` : null}
    ${offered.approved.length === 0 ? html`<p>${t.cannotApprove}</p>` : choices(request, path, 'approved', offered.approved, faulty)}
    ${choices(request, path, 'rejected', offered.rejected, faulty)}
    <p class="shortcuts"><small>${t.shortcuts}</small></p>
    ${form(request, `${path}/release`, html`<p>${t.releaseText}</p><button class="secondary">${t.release}</button>`)}
  `;
}

function choices(
  request: MemberRequest,
  path: string,
  outcome: ReviewOutcome,
  offered: readonly string[],
  faulty: Ticked | undefined,
): Markup {
  const t = request.text.reviews;
  const [title, text, key] =
    outcome === 'approved' ? [t.approve, t.approveText, 'a'] : [t.reject, t.rejectText, 'r'];
  const isFaulty = faulty?.outcome === outcome;
  const fault = `${outcome}-fault`;
  return form(
    request,
    `${path}/decide`,
    html`
      <fieldset aria-describedby=${isFaulty ? fault : undefined}>
        <legend>${title}</legend>
        <p>${text}</p>
        <input type="hidden" name="outcome" value=${outcome} />
        ${offered.map(
          (id, place) => html`
            <label class="box"><input type="checkbox" name="reason" value=${id} data-key=${place === 0 ? key : undefined}
              checked=${isFaulty && faulty.reasonIds.includes(id)} aria-invalid=${isFaulty ? 'true' : undefined} /> ${reasonIn(request.language, id)}</label>
          `,
        )}
        ${isFaulty ? html`<strong class="fault" id=${fault}>${t.faults[outcome]}</strong>` : null}
        <button class=${outcome === 'rejected' ? 'danger' : undefined}>${title}</button>
      </fieldset>
    `,
  );
}

/** Carries out a wish of a reviewer. If it is refused, nothing was changed, and the page says why. */
const refusable =
  (act: (request: MemberRequest, found: Found) => Promise<Answer>) =>
  async (request: MemberRequest): Promise<Answer> => {
    const found = await findVerification(request);
    if (found === undefined) return notFound(request);
    try {
      return await act(request, found);
    } catch (error) {
      if (!(error instanceof ReviewRefused)) throw error;
      const t = request.text.reviews;
      const body = html`<p>${t.refused[error.code]}</p><p><a role="button" href=${queuePath(found.environment)}>${t.toQueue}</a></p>`;
      return { title: t.one, body, ...refusing(error.code) };
    }
  };

async function decide(request: MemberRequest, found: Found): Promise<Answer> {
  const { form: sent, ctx } = request;
  const outcome = (['approved', 'rejected'] as const).find((each) => each === sent.get('outcome'));
  const reasonIds = sent.getAll('reason');
  if (outcome === undefined) return show(request, found, { outcome, reasonIds });
  const deadlineAt = ctx.clock.now().getTime() + decideMs;
  try {
    const order = { verificationId: found.row.id, outcome, reasonIds };
    const { state } = await decideReview({ ...ctx, deadlineAt }, found.caller, order);
    return { to: queuePath(found.environment), notice: state };
  } catch (error) {
    if (!(error instanceof ReviewRefused) || error.code !== 'reasons_do_not_fit') throw error;
    return show(request, found, { outcome, reasonIds });
  }
}

export const reviewPages: readonly ConsolePage[] = [
  {
    method: 'POST',
    path: '/review/:id/claim',
    for: 'queue.decide',
    run: refusable(async (request, found) => {
      await claimReview(request.ctx, found.caller, found.row);
      return { to: `/review/${found.row.id}` };
    }),
  },
  { method: 'GET', path: '/review/:id', for: 'queue.decide', run: refusable(show) },
  { method: 'POST', path: '/review/:id/decide', for: 'queue.decide', run: refusable(decide) },
  {
    method: 'POST',
    path: '/review/:id/release',
    for: 'queue.decide',
    run: refusable(async (request, found) => {
      await releaseReview(request.ctx, found.caller, found.row);
      return { to: queuePath(found.environment), notice: 'released' };
    }),
  },
  {
    method: 'POST',
    path: '/verifications/:id/reopen',
    for: 'queue.decide',
    run: refusable(async (request, found) => {
      await reopenForReview(request.ctx, found.caller, found.row);
      return { to: `/verifications/${found.row.id}`, notice: 'saved' };
    }),
  },
];
