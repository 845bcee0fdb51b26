import { type Environment, environments, languages } from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import { type Attributes, html, type Markup } from '../pages/markup.ts';
import type { MemberRequest, PageRequest } from './request.ts';
import { locales } from './values/money.ts';
import { ownPlace } from './values/own-place.ts';

type Named = {
  name: string;
  label: string;
  hint?: string | undefined;
  /** Shown beside the field. */
  fault?: string | undefined;
};
type Valued = Named & { value?: string | null | undefined };

const describedBy = ({ name, hint, fault }: Omit<Named, 'label'>): string | undefined =>
  [hint === undefined ? [] : `${name}-hint`, fault === undefined ? [] : `${name}-fault`].flat().join(' ') ||
  undefined;

const beside = ({ name, hint, fault }: Omit<Named, 'label'>): Markup => html`
  ${hint === undefined ? null : html`<small id=${`${name}-hint`}>${hint}</small>`}
  ${fault === undefined ? null : html`<strong class="fault" id=${`${name}-fault`}>${fault}</strong>`}
`;

/** A field with its label, and with its fault beside it. `reveal`: the name of a box that shows what is typed, where scripts run. */
export function field(given: Valued & { type?: string; reveal?: string } & Attributes): Markup {
  const { name, label, hint, fault, value, type = 'text', reveal, ...rest } = given;
  return html`
    <div class="field">
      <label for=${name}>${label}</label>
      <input id=${name} name=${name} type=${type} value=${type === 'password' ? undefined : (value ?? undefined)}
        aria-describedby=${describedBy({ name, hint, fault })} aria-invalid=${fault && 'true'} ...${rest} />
      ${reveal === undefined ? null : html`<label class="box" hidden><input type="checkbox" data-reveal=${name} /> ${reveal}</label>`}
      ${beside({ name, hint, fault })}
    </div>
  `;
}

export type Option = { value: string; name: string };

/** A field with a fixed list of values. */
export function choice(given: Valued & { options: readonly Option[] }): Markup {
  const { name, label, hint, fault, value, options } = given;
  return html`
    <div class="field">
      <label for=${name}>${label}</label>
      <select id=${name} name=${name} aria-describedby=${describedBy({ name, hint, fault })} aria-invalid=${fault && 'true'}>
        ${options.map((option) => html`<option value=${option.value} selected=${option.value === value}>${option.name}</option>`)}
      </select>
      ${beside({ name, hint, fault })}
    </div>
  `;
}

/** Boxes of which several can be ticked. */
export function boxes(given: Named & { options: readonly Option[]; ticked: readonly string[] }): Markup {
  const { name, label, hint, fault, options, ticked } = given;
  return html`
    <fieldset class="field" aria-describedby=${describedBy({ name, hint, fault })}>
      <legend>${label}</legend>
      ${options.map(
        (option, place) =>
          html`<label class="box"><input id=${place === 0 ? name : undefined} type="checkbox" name=${name} value=${option.value} checked=${ticked.includes(option.value)} aria-invalid=${fault && 'true'} /> ${option.name}</label>`,
      )}
      ${beside({ name, hint, fault })}
    </fieldset>
  `;
}

/** A box that somebody has to tick before a form is carried out. */
export const sure = (label: string, fault: string | undefined): Markup => html`
  <label class="box"><input id=${fault && 'sure'} type="checkbox" name="sure" value="yes" aria-describedby=${describedBy({ name: 'sure', fault })} aria-invalid=${fault && 'true'} /> ${label}</label>
  ${beside({ name: 'sure', fault })}
`;

/** What is wrong if somebody did not tick that box. Undefined if they did. */
export const unsure = ({ form, text }: Pick<PageRequest, 'form' | 'text'>): string | undefined =>
  form.get('sure') === 'yes' ? undefined : text.sureMissing;

/** Carries out an act that harms only with that box ticked. `again` shows the form once more, with what is wrong. */
export const ifSure =
  <Rest extends unknown[], Given>(
    act: (request: MemberRequest, ...rest: Rest) => Promise<Given>,
    again: (request: MemberRequest, fault: string, ...rest: Rest) => Given | Promise<Given>,
  ) =>
  async (request: MemberRequest, ...rest: Rest): Promise<Given> => {
    const fault = unsure(request);
    return fault === undefined ? act(request, ...rest) : again(request, fault, ...rest);
  };

/** Reads the page of a list that the address asks for. A cursor that names no row shows the first page. */
export const pageAsked = <Page>(
  { query }: Pick<PageRequest, 'query'>,
  read: (startingAfter: string | undefined) => Promise<Page>,
): Promise<Page> =>
  read(query.get('after') ?? undefined).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    return read(undefined);
  });

/** The two environments, of which one is shown. */
export const environmentTabs = (
  { text }: Pick<PageRequest, 'text'>,
  shown: Environment,
  pathOf: (environment: Environment) => string,
): Markup => html`
  <p class="tabs">
    ${environments
      .toReversed()
      .map(
        (each) =>
          html`<a href=${pathOf(each)} class=${each === shown ? 'tab here' : 'tab'} aria-current=${each === shown ? 'true' : undefined}>${text.environments[each]}</a>`,
      )}
  </p>
`;

/** Postgres takes no other text for an id. */
export const isUuid = (id: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);

/**
 * A form that sends to `action`, with the token that every form needs. A browser names one fault in a bubble that goes; the page names all,
 * beside their fields and above them. So the browser checks nothing.
 */
export const form = (
  request: Pick<PageRequest, 'token' | 'query'>,
  action: string,
  content: Markup,
): Markup =>
  html`<form method="post" action=${keepingAsked(request, action)} novalidate>${request.token}${content}</form>`;

/**
 * Keeps what the address of the page asks for: its language, because somebody who is not signed in has no other way to choose one, and the
 * page to which a sign-in leads.
 */
export function keepingAsked({ query }: Pick<PageRequest, 'query'>, action: string): string {
  const kept = new URLSearchParams();
  const lang = languages.find((each) => each === query.get('lang'));
  if (lang !== undefined) kept.set('lang', lang);
  const next = ownPlace(query.get('next'));
  if (next !== undefined) kept.set('next', next);
  return kept.size === 0 ? action : `${action}?${kept}`;
}

/** The environment that an address or a form names. */
export const environmentIn = (given: URLSearchParams): Environment =>
  environments.find((each) => each === given.get('environment')) ?? 'live';

/** A time in the member's zone, with UTC beside it. `isExact`: with seconds. */
export function when(
  { language, member }: Pick<MemberRequest, 'language' | 'member'>,
  at: Date | null,
  never = '–',
  isExact = false,
): Markup {
  if (at === null) return html`<span>${never}</span>`;
  const { timeZone } = member;
  const timeStyle = isExact ? 'medium' : 'short';
  const inZone = new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle, timeZone });
  const utc = `${at
    .toISOString()
    .slice(0, isExact ? 23 : 16)
    .replace('T', ' ')} UTC`;
  return html`<time datetime=${at.toISOString()}>${timeZone === 'UTC' ? utc : html`${inZone.format(at)} <small>${utc}</small>`}</time>`;
}

/** A secret that is shown this once. The button copies it where scripts run; the script also removes it when the page is left. */
export const shownOnce = (id: string, secret: string, copy: string, copied: string): Markup => html`
  <div class="once">
    <output id=${id} data-secret tabindex="0">${secret}</output>
    <button type="button" data-copy=${id} data-copied=${copied} hidden>${copy}</button>
  </div>
`;

/** An empty list, and what to do about it. */
export const empty = (text: string, action?: { to: string; name: string }): Markup => html`
  <div class="empty">
    <p>${text}</p>
    ${action === undefined ? null : html`<p><a role="button" href=${action.to}>${action.name}</a></p>`}
  </div>
`;
