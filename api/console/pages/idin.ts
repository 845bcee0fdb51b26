import { dayMs } from '#contract/time.ts';
import { may } from '#policy/rights.ts';
import { changeContract } from '#services/eid/contracts.ts';
import { readOwnContract, setOwnContract } from '#services/eid/own-contract.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { field, form, when } from '../parts.ts';
import type { ConsolePage, MemberRequest, View } from '../request.ts';
import type { Texts } from '../texts/texts.ts';

type Text = Texts['organisation']['contract'];
const textsOf = ({ text }: MemberRequest): Text => text.organisation.contract;

type Contract = NonNullable<Awaited<ReturnType<typeof readOwnContract>>>;
type Trial = Awaited<ReturnType<typeof setOwnContract>>;

const path = '/organisation/idin';
const renewWithinDays = 30;

const mayChange = ({ member }: MemberRequest): boolean => may(member.role, 'organisation.change');

function warning(text: Text, { certificateEndsAt }: Contract, now: Date): Markup | null {
  const days = Math.floor((certificateEndsAt.getTime() - now.getTime()) / dayMs);
  if (days >= renewWithinDays) return null;
  return html`<p class="notice" role="status">${days < 0 ? text.over : text.soonOver(days)}</p>`;
}

/** No key and no address is shown. */
const facts = (request: MemberRequest, text: Text, contract: Contract): Markup => html`
  ${warning(text, contract, request.ctx.clock.now())}
  ${contract.simulated ? html`<p class="notice" role="status">${text.simulated}</p>` : null}
  <dl>
    <div><dt>${text.certificate}</dt><dd>${when(request, contract.certificateEndsAt)}</dd></div>
    <div><dt>${text.changed}</dt><dd>${when(request, contract.changedAt)}</dd></div>
    <div><dt>${text.banks}</dt><dd>${contract.issuers.map(({ name }) => name).join(', ')}</dd></div>
    <div><dt>${text.banksAt}</dt><dd>${when(request, contract.issuersAt)}</dd></div>
  </dl>
`;

/** The file is the first field, because nothing behind it is read but the token. */
const setting = (
  request: MemberRequest,
  text: Text,
  isNew: boolean,
  faults: readonly string[],
): Markup => html`
  <section>
    <h2>${isNew ? text.set : text.replace}</h2>
    <p>${text.setText}</p>
    <form method="post" action=${path} enctype="multipart/form-data" novalidate>
      ${field({
        ...{ name: 'contract', label: text.file, type: 'file', accept: '.json,application/json' },
        ...{ required: true, hint: text.fields, fault: faults[0] },
      })}
      ${faults.length > 1 ? html`<ul class="fault">${faults.slice(1).map((each) => html`<li>${each}</li>`)}</ul>` : null}
      ${request.token}
      <button>${text.send}</button>
    </form>
  </section>
`;

/** Two presses, because the keys cannot be brought back. */
const removing = (request: MemberRequest, text: Text): Markup => html`
  <details>
    <summary>${text.remove}</summary>
    <p>${text.removeText}</p>
    ${form(request, `${path}/remove`, html`<button class="secondary">${text.remove}</button>`)}
  </details>
`;

async function idinView(request: MemberRequest, faults: readonly string[] = []): Promise<View> {
  const text = textsOf(request);
  const contract = await readOwnContract(request.ctx, request.callers.live);
  const isFaulty = faults.length > 0;
  return {
    ...{ title: text.title, isFaulty, status: isFaulty ? 422 : 200 },
    body: html`
      <p>${text.intro}</p>
      ${mayChange(request) ? null : html`<p>${text.onlyOwner}</p>`}
      ${contract === undefined ? html`<p>${text.none}</p>` : facts(request, text, contract)}
      ${mayChange(request) ? setting(request, text, contract === undefined, faults) : null}
      ${mayChange(request) && contract !== undefined ? removing(request, text) : null}
    `,
  };
}

/** The first is the sentence beside the field. */
function faultsOf({ faults }: Text, trial: Exclude<Trial, { is: 'working' }>): string[] {
  if (trial.is === 'faulty') return [faults.faulty, ...trial.faults];
  return [trial.is === 'unanswered' ? faults.unanswered(trial.reason) : faults[trial.is]];
}

const saved = { to: path, notice: 'saved' } as const;

export const idinPages: readonly ConsolePage[] = [
  { method: 'GET', path, for: 'organisation.see', run: (request) => idinView(request) },
  {
    method: 'POST',
    path,
    for: 'organisation.change',
    file: 'contract',
    async run(request) {
      const { ctx, callers, file } = request;
      const text = textsOf(request);
      if (file === undefined) return idinView(request, [text.faults.missing]);
      const trial = await setOwnContract(ctx, callers.live, { file });
      return trial.is === 'working' ? saved : idinView(request, faultsOf(text, trial));
    },
  },
  {
    method: 'POST',
    path: `${path}/remove`,
    for: 'organisation.change',
    async run({ ctx, callers }) {
      await changeContract(ctx, callers.live, { contract: null });
      return saved;
    },
  },
];
