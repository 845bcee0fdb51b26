import type { Environment } from '#contract/enums.ts';
import { findOrderedDossier, type Ordered, orderDossier } from '#services/dossiers/order.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { form, isUuid } from '../../parts.ts';
import type { Answer, ConsolePage, MemberRequest, View } from '../../request.ts';
import { faulty, notFound, refusing } from '../../trouble.ts';
import { type Found, findVerification } from './find-verification.ts';

/** How long the page waits for the worker. A dossier that takes longer is on the next page. */
const orderMs = 8_000;

/** The script looks again after this time. */
const refreshSeconds = 3;

const types = { json: 'application/json; charset=utf-8', pdf: 'application/pdf' } as const;
const formats = ['pdf', 'json'] as const;

async function order(request: MemberRequest, found: Found): Promise<Answer> {
  const { ctx, form: sent } = request;
  const format = formats.find((each) => each === sent.get('format'));
  if (format === undefined) return formAgain(request, found.row.id);
  const deadlineAt = ctx.clock.now().getTime() + orderMs;
  const wanted = { verificationId: found.row.id, format };
  const ordered = await orderDossier({ ...ctx, deadlineAt }, found.caller, wanted);
  if (ordered.state === 'made' || ordered.state === 'later') return { to: `/dossiers/${ordered.orderId}` };
  return refused(request, found.row.id, ordered.state);
}

const formAgain = (request: MemberRequest, verificationId: string): View => {
  const t = request.text.dossiers;
  const body = html`
    ${dossierForms(request, verificationId, t.formatFault)}
    ${backTo(request, verificationId)}
  `;
  return { title: t.title, body, ...faulty };
};

const backTo = ({ text }: MemberRequest, verificationId: string): Markup =>
  html`<p><a href=${`/verifications/${verificationId}`}>${text.back}</a></p>`;

const refused = (
  request: MemberRequest,
  verificationId: string,
  state: Exclude<Ordered['state'], 'made' | 'later'>,
): View => {
  const t = request.text.dossiers;
  const body = html`<p role="alert">${t.refused[state]}</p>${backTo(request, verificationId)}`;
  return { title: t.title, body, ...refusing(state) };
};

/** The address does not say in which environment the dossier was ordered. */
async function findOrder({ ctx, callers, params: { id = '' } }: MemberRequest) {
  if (!isUuid(id)) return undefined;
  const find = (environment: Environment) => findOrderedDossier(ctx, callers[environment], { orderId: id });
  return (await find('sandbox')) ?? (await find('live'));
}

async function orderView(request: MemberRequest): Promise<View> {
  const found = await findOrder(request);
  if (found === undefined) return notFound(request);
  const t = request.text.dossiers;
  const here = `/dossiers/${request.params.id}`;
  const { file, format, verificationId } = found;
  return {
    title: t.title,
    body: html`
      <div id="now" role="status" data-refresh=${file === undefined ? refreshSeconds : undefined}>${
        file === undefined
          ? html`<p>${t.later}</p><p><a role="button" href=${here}>${t.look}</a></p>`
          : html`<p>${t.ready}</p><p><a role="button" href=${`${here}/file`} download>${t.download[format]}</a></p><p>${t.check}<br /><code>npm run --silent verify-dossier -- FILE --key KEY.pem</code></p>`
      }</div>
      ${backTo(request, verificationId)}
    `,
  };
}

async function fileAnswer(request: MemberRequest): Promise<Answer> {
  const found = await findOrder(request);
  if (found?.file === undefined) return notFound(request);
  const { file, format, verificationId } = found;
  return { file, name: `dossier-${verificationId}.${format}`, type: types[format] };
}

/** The forms on the page of a verification. */
export const dossierForms = (request: MemberRequest, verificationId: string, fault?: string): Markup => {
  const t = request.text.dossiers;
  return html`
    <section>
      <h3>${t.title}</h3>
      <p>${t.intro}</p>
      ${form(
        request,
        `/verifications/${verificationId}/dossier`,
        html`
          ${fault === undefined ? null : html`<strong class="fault" id="format-fault">${fault}</strong>`}
          <button name="format" value="pdf" aria-describedby=${fault && 'format-fault'}>${t.make.pdf}</button> <button name="format" value="json" class="secondary" aria-describedby=${fault && 'format-fault'}>${t.make.json}</button>
        `,
      )}
    </section>
  `;
};

export const dossierPages: readonly ConsolePage[] = [
  {
    method: 'POST',
    path: '/verifications/:id/dossier',
    for: 'dossiers.make',
    run: async (request) => {
      const found = await findVerification(request);
      return found === undefined ? notFound(request) : order(request, found);
    },
  },
  { method: 'GET', path: '/dossiers/:id', for: 'dossiers.make', run: orderView },
  { method: 'GET', path: '/dossiers/:id/file', for: 'dossiers.make', run: fileAnswer },
];
