import { type Environment, isIncome } from '#contract/enums.ts';
import { minuteMs } from '#contract/time.ts';
import type { Check } from '#contract/workflows.ts';
import { claimReview, releaseReview } from '#services/reviews/claim.ts';
import { decideReview } from '#services/reviews/decide.ts';
import { type Material, openMaterial } from '#services/reviews/material.ts';
import { claimNext } from '#services/reviews/next.ts';
import { ReviewRefused } from '#services/reviews/refused.ts';
import { reopenForReview } from '#services/reviews/reopen.ts';
import { takeBackDecision } from '#services/reviews/take-back.ts';
import { reasonIn } from '#services/views/reason-in.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { environmentIn, when } from '../../parts.ts';
import type { Answer, ConsolePage, MemberRequest, View } from '../../request.ts';
import { notFound, refusing } from '../../trouble.ts';
import { decision, type Faulty, inARow, isInARow, tickedIn } from './decision.ts';
import { type Found, findVerification } from './find-verification.ts';
import { incomeOf, papers } from './papers.ts';
import { pictures } from './pictures.ts';
import { queuePath } from './queue.ts';
import { afterDecision, backTo, takeBackOffer } from './take-back.ts';
import { checksOf } from './verdict.ts';

const decideMs = 8_000;

/** The page of the member who has the claim. Each time that it is shown is a look at the evidence. */
async function show(request: MemberRequest, found: Found, faulty?: Faulty): Promise<View> {
  const material = await openMaterial(request.ctx, found.caller, found.row);
  const { expiresAt } = await claimReview(request.ctx, found.caller, found.row);
  const t = request.text.reviews;
  return {
    title: `${t.one}: ${found.row.reference ?? request.text.verifications.noReference}`,
    hasPictures: true,
    isWide: true,
    ...(faulty && { status: 422 as const, isFaulty: true }),
    body: html`
      ${await takeBackOffer(request, found.environment)}
      <div class="assess">
        <section aria-label=${t.evidence}>
          <p class="held">${isIncome(material.method) ? request.text.income.claimed : t.claimed} ${minutesUntil(request, expiresAt)}. ${t.extend}${' '}
            <a href=${`/verifications/${found.row.id}`}>${request.text.evidence.history}</a></p>
          ${evidence(request, found, material)}
          <p class="onward"><a role="button" href="#decision">${request.text.deciding.toDecision}</a></p>
        </section>
        <section id="decision" aria-label=${request.text.deciding.decision}>${decision(request, found.row.id, material, faulty)}</section>
      </div>
    `,
  };
}

/** The minutes that are left. A script counts them down. */
function minutesUntil({ ctx, text }: MemberRequest, at: Date): Markup {
  const left = Math.max(Math.round((at.getTime() - ctx.clock.now().getTime()) / minuteMs), 0);
  return html`<b data-minutes=${left}>${left}</b> ${text.reviews.more}`;
}

function evidence(request: MemberRequest, found: Found, material: Material): Markup {
  const t = request.text.reviews;
  const income = request.text.income;
  const { basis, picturesEndAt, checks } = material;
  const machine = findings(request, material);
  if (basis === 'other_way') return html`<p>${t.otherWay}</p>${machine}`;
  if (basis === 'gone')
    return html`<p role="alert">${isIncome(material.method) ? income.noEvidence : t.noEvidence}</p>${machine}`;
  return html`
    ${doubts(request, checks)}
    ${pictures(request, material, machine)}
    ${material.papers && papers(request, material.papers, checks)}
    <p><small>${found.environment === 'live' ? t.logged : isIncome(material.method) ? income.sandbox : t.sandbox}
      ${picturesEndAt === null ? null : html` ${isIncome(material.method) ? income.until : t.until} ${when(request, picturesEndAt)}.`}</small></p>
  `;
}

/** What to look at first, above everything else. */
function doubts({ text }: MemberRequest, checks: readonly Check[]): Markup | null {
  const { checks: names } = text.verifications;
  const kinds = new Set(
    checks.flatMap(({ kind, result }) => (result === 'doubt' || result === 'failed' ? [kind] : [])),
  );
  return kinds.size === 0
    ? null
    : html`<p class="doubts">${text.reviews.inDoubt} ${[...kinds].map((kind) => html`<a class="tag doubt" href="#findings">${names[kind]}</a> `)}</p>`;
}

function findings(request: MemberRequest, { checks, reasonIds, unheeded, papers: shown }: Material): Markup {
  const { language, text } = request;
  const t = text.reviews;
  return html`
    <div id="findings">
      <h2>${t.checks}</h2>
      ${unheeded.map(({ kind, advice }) => html`<p>${t.kinds[kind]}: ${t.unheeded[advice]} ${t.sentAsItIs}</p>`)}
      ${checks.length === 0 ? html`<p>${t.noChecks}</p>` : checksOf(language, checks)}
      ${reasonIds.map((id) => html`<p><small>${reasonIn(language, id)}</small></p>`)}
      ${shown && incomeOf(request, shown.result)}
    </div>
  `;
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
  const ticked = tickedIn(sent);
  const { outcome, reasonIds, note } = ticked;
  if (outcome === undefined) return show(request, found, { ...ticked, fault: 'reasons' });
  const deadlineAt = ctx.clock.now().getTime() + decideMs;
  try {
    const order = { verificationId: found.row.id, outcome, reasonIds, note };
    const { state } = await decideReview({ ...ctx, deadlineAt }, found.caller, order);
    const { environment } = found;
    const next = (isInARow(request) && (await nextPath(request, environment))) || queuePath(environment);
    return state === 'held' ? { to: afterDecision(next, found.row.id) } : { to: next, notice: state };
  } catch (error) {
    const code = error instanceof ReviewRefused ? error.code : undefined;
    if (code === 'reasons_do_not_fit') return show(request, found, { ...ticked, fault: 'reasons' });
    if (code === 'note_too_long') return show(request, found, { ...ticked, fault: 'note' });
    throw error;
  }
}

/** Takes the next one for a member who decides one after the other. Undefined if there is none. */
async function nextPath(
  { ctx, callers }: MemberRequest,
  environment: Environment,
): Promise<string | undefined> {
  const next = await claimNext(ctx, callers[environment]);
  return next && `/review/${next}?${inARow}`;
}

export const reviewPages: readonly ConsolePage[] = [
  {
    method: 'POST',
    path: '/review/next',
    for: 'queue.decide',
    async run(request) {
      const environment = environmentIn(request.form);
      const next = await nextPath(request, environment);
      return next === undefined ? { to: queuePath(environment), notice: 'none_free' } : { to: next };
    },
  },
  {
    method: 'POST',
    path: '/review/:id/claim',
    for: 'queue.decide',
    run: refusable(async (request, found) => {
      await claimReview(request.ctx, found.caller, found.row);
      return { to: `/review/${found.row.id}` };
    }),
  },
  {
    method: 'GET',
    path: '/review/:id',
    for: 'queue.decide',
    query: ['row', 'decided'],
    run: refusable(show),
  },
  {
    method: 'POST',
    path: '/review/:id/take-back',
    for: 'queue.decide',
    run: refusable(async (request, found) => {
      await takeBackDecision(request.ctx, found.caller, found.row);
      return { to: backTo(request, found.row.id), notice: 'taken_back' };
    }),
  },
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
