import type { EidStatus } from '#contract/eid.ts';
import type { Link } from '#services/flow/find-link.ts';
import { notice } from '../../pages/components.ts';
import { icon } from '../../pages/icons.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { action, here, type PageInput, specimenForm, stopping, to, type View } from '../parts.ts';

type Stage = NonNullable<Link['bank']>;
type Choosing = Extract<Stage, { is: 'choose' }>;
type Leaving = Extract<Stage, { is: 'go' | 'waiting' }>;

/** The pages around a visit to a bank. In sandbox without a simulator, an example bank stands for it. */
export function bank(input: PageInput): View {
  const { link, text } = input;
  const stage = link.bank;
  if (stage === null)
    return {
      title: text.bank.title,
      body: html`<p class="lead">${text.bank.text}</p>${specimenForm(input, 'bank', text.bank.confirm)}`,
    };
  if (stage.is === 'choose') return choose(input, stage);
  if (stage.is === 'asking') return asking(input);
  return stage.is === 'go' ? go(input, stage) : waiting(input, stage);
}

const untold: readonly (EidStatus | null)[] = [null, 'success', 'unused', 'replaced'];

/** How a visit can end without a result. The person chooses again. */
function endOf(last: EidStatus | null, ends: PageInput['text']['bank']['ends']): string | undefined {
  if (last === null || untold.includes(last)) return undefined;
  return last in ends ? ends[last as keyof typeof ends] : ends.unanswered;
}

function choose(input: PageInput, { issuers, last }: Choosing): View {
  const { which, explained, ends } = input.text.bank;
  const end = endOf(last, ends);
  return {
    title: which,
    body: html`
      ${end === undefined ? null : notice('news', end)}
      <p class="lead">${explained}</p>
      <ul class="choices">
        ${issuers.map(
          ({ id, name }) => html`
            <li>
              <form method="post" action=${to(input, 'bank')}>
                <input type="hidden" name="bank" value=${id} />
                <button class="choice">${icon('bank')}<span><strong>${name}</strong></span>${icon('onward')}</button>
              </form>
            </li>
          `,
        )}
      </ul>
      ${stopping(input)}
    `,
  };
}

const asking = (input: PageInput): View => ({
  title: input.text.bank.title,
  refreshes: true,
  body: html`<p class="lead">${input.text.bank.asking}</p>${lookAgain(input)}`,
});

/** A link and no form: a page that redirects a form to another site is refused by the page's own policy. */
const go = (input: PageInput, { bank: name, address }: Leaving): View => {
  const { goTo, goTitle, goText, goTrouble } = input.text.bank;
  return {
    title: goTitle(name),
    refreshes: true,
    body: html`
      <p class="lead">${goText(name)}</p>
      ${action(html`<a class="button" href=${address} rel="noreferrer">${goTo(name)}</a>`)}
      <p>${goTrouble}</p>
      ${stopping(input)}
    `,
  };
};

const waiting = (input: PageInput, { bank: name, address }: Leaving): View => ({
  title: input.text.bank.title,
  refreshes: true,
  body: html`
    <p class="lead">${input.text.bank.waiting(name)}</p>
    ${lookAgain(input)}
    <p><a href=${address} rel="noreferrer">${input.text.bank.goBack(name)}</a></p>
  `,
});

const lookAgain = (input: PageInput): Markup =>
  html`<noscript><p><a class="button secondary" href=${here(input)}>${input.text.checking.again}</a></p></noscript>`;
