import {
  type EvidenceKind,
  evidenceKinds,
  type LookedAtKind,
  lookedAtKinds,
  pictureKinds,
} from '#contract/enums.ts';
import type { Link } from '#services/flow/find-link.ts';
import { choiceCards } from '../pages/components.ts';
import { type IconName, icon } from '../pages/icons.ts';
import { html, type Markup } from '../pages/markup.ts';
import { adviceBeside, saysWhatWasRead, sendForm } from './advice.ts';
import { aimOf } from './aim.ts';
import { render } from './page.ts';
import {
  action,
  here,
  type PageInput,
  type PageLocation,
  type PageRequest,
  stopping,
  to,
  type View,
} from './parts.ts';
import { progressOf } from './progress.ts';
import type { Fault } from './texts/faults.ts';
import type { Trouble } from './texts/frame.ts';
import { texts } from './texts/texts.ts';
import { bank } from './views/bank.ts';
import { capture } from './views/capture.ts';
import { cancelled, checking, done, expired, noBank } from './views/endings.ts';
import { following, handOver } from './views/hand-over.ts';
import { movements } from './views/movements.ts';
import { papers, papersBeforeSend } from './views/papers.ts';
import { welcome } from './views/welcome.ts';

export function showStep(request: PageRequest): string {
  const { link, language, base, fault, wanted } = request;
  const input = { ...request, text: texts[language] };
  const kind = pictureWanted(request);
  const view = following(input) ?? (kind === undefined ? views[link.step](input) : taking(input, kind));
  return render(base, {
    ...view,
    language,
    partner: link,
    progress: progressOf(link, kind, input.text.shell),
    query: {
      ...(wanted && { take: wanted }),
      ...(fault && { fault }),
      ...(request.follows && { follow: 'phone' }),
    },
    sandbox: link.environment === 'sandbox' ? input.text.sandbox[aimOf(link)] : undefined,
    fault: fault && faultText(input, fault),
    isPreview: request.isPreview,
  });
}

/** What a person sent has other words where it was no photo. */
function faultText({ link, text }: PageInput, fault: Fault): string {
  const words: Partial<Record<Fault, string>> = aimOf(link) === 'income' ? text.papers.faults : {};
  return words[fault] ?? text.faults[fault];
}

export const showUnknown = ({ language, base }: PageLocation): string => {
  const { title, text, ask } = texts[language].unknown;
  return render(base, { language, title, body: html`<p class="lead">${text}</p><p>${ask}</p>` });
};

/** `link` is absent if the request failed before it was found. */
type TroubleOf = { link?: Link | undefined; answersForm: boolean };

/** The page of a failed request, with a link back to the flow if the address is one of a verification. */
export const showTrouble = (
  location: PageLocation,
  which: Trouble,
  { link, answersForm }: TroubleOf,
): string => {
  const { trouble } = texts[location.language];
  return render(location.base, {
    language: location.language,
    title: trouble.title,
    partner: link,
    answersForm,
    body: html`
      <p class="lead">${trouble[which]}</p>
      ${location.token === '' ? null : action(html`<a class="button" href=${here(location)}>${trouble.back}</a>`)}
    `,
  });
};

const takingSteps: readonly Link['step'][] = ['document', 'card_back', 'selfie', 'movements', 'confirm'];

const taking = (input: PageInput, kind: LookedAtKind): View =>
  kind === 'movements' ? movements(input) : capture(input, kind);

/** The picture that the person chose instead of the current step, for example to use another document or to replace a picture. */
const pictureWanted = ({ link: { step }, wanted }: PageRequest): LookedAtKind | undefined =>
  takingSteps.includes(step) ? lookedAtKinds.find((kind) => kind === wanted) : undefined;

/** Four documents that people know apart. The last three are cards, with a front and a back. */
const documents = {
  passport: 'passport_page',
  identity_card: 'card_front',
  residence_permit: 'card_front',
  driving_licence: 'card_front',
} as const satisfies Partial<Record<IconName, EvidenceKind>>;

function document(input: PageInput): View {
  const { title, which, kinds } = input.text.document;
  const names = Object.keys(documents) as (keyof typeof documents)[];
  return {
    title,
    body: html`
      ${handOver(input)}
      <p class="lead">${which}</p>
      ${choiceCards(names.map((name) => ({ to: `${here(input)}&take=${documents[name]}`, icon: name, ...kinds[name] })))}
      ${stopping(input)}
    `,
  };
}

const drawings: Record<EvidenceKind, IconName> = {
  passport_page: 'passport',
  card_front: 'identity_card',
  card_back: 'card_back',
  selfie: 'selfie',
  movements: 'movements',
  bank: 'bank',
  papers: 'papers',
};

/** The place of a picture. The script fills it from the memory of the page. To enlarge the picture needs no script. */
const enlargeable = ({ text: { confirm } }: PageInput, name: string): Markup => html`
  <details class="picture" hidden>
    <summary>
      <img class="thumbnail" alt=${name} />
      <span class="larger">${confirm.larger}</span><span class="smaller">${confirm.smaller}</span>
    </summary>
  </details>
`;

/** What was handed in stands in the order of the document. The pictures stay with the device that took them. */
function confirm(input: PageInput): View {
  if (aimOf(input.link) === 'income') return papersBeforeSend(input);
  const { link, text } = input;
  const { title, text: explained, received, again, send } = text.confirm;
  const isPicture = (kind: EvidenceKind) => pictureKinds.some((each) => each === kind);
  const isLookedAt = (kind: EvidenceKind) => lookedAtKinds.some((each) => each === kind);
  const item = (kind: EvidenceKind) => {
    const take = html`<a href=${`${here(input)}&take=${kind}`} aria-label=${`${again}: ${received[kind]}`}>${again}</a>`;
    return html`
      <li data-picture=${kind}>
        ${icon(drawings[kind])}
        ${isPicture(kind) ? enlargeable(input, received[kind]) : null}
        <span>${received[kind]}</span>
        ${isLookedAt(kind) ? take : null}
        ${isLookedAt(kind) ? adviceBeside(input, kind) : null}
      </li>
    `;
  };
  return {
    title,
    body: html`
      <p class="lead">${explained}</p>
      <ul class="handed-in" data-awaits-look=${link.awaitsLook || undefined}>${evidenceKinds.filter((kind) => link.received.includes(kind)).map(item)}</ul>
      ${saysWhatWasRead}
      <form id=${sendForm} method="post" action=${to(input, 'submit')}>${action(html`<button>${send}</button>`)}</form>
      ${stopping(input)}
    `,
  };
}

const views: Record<Link['step'], (input: PageInput) => View> = {
  ...{
    welcome,
    document,
    movements,
    bank,
    papers,
    confirm,
    checking,
    done,
    expired,
    cancelled,
    no_bank: noBank,
  },
  card_back: (input) => capture(input, 'card_back'),
  selfie: (input) => capture(input, 'selfie'),
};
