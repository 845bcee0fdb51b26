import { may } from '#policy/rights.ts';
import { changeLogo } from '#services/organisations/change-logo.ts';
import {
  changeOwnSettings,
  type OwnSetting,
  type OwnSettings,
  readOwnSettings,
  type TypedSettings,
} from '#services/organisations/own-settings.ts';
import { lacksFourEyes } from '#services/reviews/independent.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { choice, field, form } from '../parts.ts';
import type { ConsolePage, MemberRequest, View } from '../request.ts';
import type { Texts } from '../texts/texts.ts';
import { optionsOf, settingInWords } from '../values/settings-in-words.ts';
import { preview, previewPage } from './organisation-preview.ts';

/** The settings of each form, in their order. */
const groups = {
  shown: [
    'displayName',
    'purpose',
    'contact',
    'privacyUrl',
    'colour',
    'returnUrl',
    'languages',
    'offersOtherWay',
  ],
  rules: ['decisions', 'reviewEyes', 'evidenceDays', 'coverPortrait', 'eraseByKey'],
} as const satisfies Record<string, readonly OwnSetting[]>;
type Group = keyof typeof groups;

type Text = Texts['organisation'];
const textsOf = ({ text }: MemberRequest): Text => text.organisation;

/** What was typed, and what is wrong with it. `logo` is about the picture. */
type Refused = { typed?: TypedSettings; faults?: Partial<Record<OwnSetting | 'logo', string>> };

const typedOf = (settings: OwnSettings, property: OwnSetting): string => `${settings[property] ?? ''}`;

const input = (request: MemberRequest, settings: OwnSettings, { typed, faults }: Refused) =>
  function ofSetting(property: OwnSetting): Markup {
    const text = textsOf(request);
    const options = optionsOf(request.text, property);
    const given = {
      name: property,
      label: text.names[property],
      hint: property === 'decisions' ? text.decisionsWarning : text.hints[property] || undefined,
      fault: faults?.[property],
      value: typed?.[property] ?? typedOf(settings, property),
    };
    if (options !== undefined) return choice({ ...given, options });
    return field({ ...given, ...(property === 'evidenceDays' && { inputmode: 'numeric', maxlength: 3 }) });
  };

/** What somebody sees who may not change it. */
const facts = ({ text }: MemberRequest, settings: OwnSettings, group: Group): Markup => html`
  <dl>
    ${groups[group].map(
      (property) =>
        html`<div><dt>${text.organisation.names[property]}</dt><dd>${settingInWords(text, property, settings[property])}</dd></div>`,
    )}
  </dl>
`;

function section(request: MemberRequest, settings: OwnSettings, group: Group, refused: Refused): Markup {
  const text = textsOf(request);
  const change = () =>
    form(
      request,
      `/organisation/${group}`,
      html`${groups[group].map(input(request, settings, refused))}<button>${request.text.save}</button>`,
    );
  return html`
    <section>
      <h2>${text[group]}</h2>
      ${group === 'shown' ? html`<p>${text.shownText}</p>` : null}
      ${mayChange(request) ? change() : facts(request, settings, group)}
    </section>
  `;
}

const mayChange = ({ member }: MemberRequest): boolean => may(member.role, 'organisation.change');

/** The file is the first field, because nothing behind it is read but the token. */
const logoForm = (request: MemberRequest, fault: string | undefined): Markup => {
  const { logo } = textsOf(request);
  return html`
    <form method="post" action="/organisation/logo" enctype="multipart/form-data" novalidate>
      ${field({ name: 'logo', label: logo.file, type: 'file', accept: 'image/png,image/jpeg,image/webp', required: true, fault })}
      ${request.token}
      <button>${logo.send}</button>
    </form>
  `;
};

function logoSection(
  request: MemberRequest,
  { logo: hash, name, displayName }: OwnSettings,
  { faults }: Refused,
): Markup {
  const { logo } = textsOf(request);
  const remove = () =>
    form(request, '/organisation/logo/remove', html`<button class="secondary">${logo.remove}</button>`);
  return html`
    <section>
      <h2>${logo.title}</h2>
      ${hash === null ? html`<p>${logo.none}</p>` : html`<p><img class="logo" src=${`/verify/logos/${hash}.png`} alt=${displayName ?? name} /></p>`}
      ${
        mayChange(request)
          ? html`<p>${logo.text}</p>${logoForm(request, faults?.logo)}${hash === null ? null : remove()}`
          : null
      }
    </section>
  `;
}

async function organisationView(request: MemberRequest, refused: Refused = {}): Promise<View> {
  const text = textsOf(request);
  const settings = await readOwnSettings(request.ctx, request.callers.live);
  const isFaulty = refused.faults !== undefined;
  const isLacking = await lacksFourEyes(request.ctx, request.callers.live);
  return {
    title: text.title,
    isFaulty,
    hasPreview: true,
    status: isFaulty ? 422 : 200,
    body: html`
      <p>${text.intro}</p>
      ${settings.paused ? html`<p class="notice" role="status">${text.paused}</p>` : null}
      ${isLacking ? html`<p class="notice" role="status">${text.lacksFourEyes}</p>` : null}
      ${mayChange(request) ? null : html`<p>${text.onlyOwner}</p>`}
      ${section(request, settings, 'shown', refused)}
      ${logoSection(request, settings, refused)}
      ${preview(request, settings)}
      ${section(request, settings, 'rules', refused)}
      <p><a href="/organisation/idin">${request.text.organisation.contract.link}</a></p>
    `,
  };
}

const saved = { to: '/organisation', notice: 'saved' } as const;

const change = (group: Group): ConsolePage => ({
  method: 'POST',
  path: `/organisation/${group}`,
  for: 'organisation.change',
  async run(request) {
    const { ctx, callers, form: sent } = request;
    const text = textsOf(request);
    const typed: TypedSettings = Object.fromEntries(
      groups[group].map((property) => [property, sent.get(property) ?? undefined]),
    );
    const changed = await changeOwnSettings(ctx, callers.live, typed);
    if (changed === 'saved') return saved;
    const faults = Object.fromEntries(changed.faults.map((property) => [property, text.faults[property]]));
    return organisationView(request, { typed, faults });
  },
});

export const organisationPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/organisation',
    for: 'organisation.see',
    nav: 'organisation',
    run: (request) => organisationView(request),
  },
  previewPage,
  change('shown'),
  change('rules'),
  {
    method: 'POST',
    path: '/organisation/logo',
    for: 'organisation.change',
    file: 'logo',
    async run(request) {
      const { ctx, callers, file } = request;
      const { faults } = textsOf(request).logo;
      if (file === undefined) return organisationView(request, { faults: { logo: faults.missing } });
      const fault = await changeLogo(ctx, callers.live, { upload: file });
      if (fault === undefined) return saved;
      const said = fault in faults ? faults[fault as keyof typeof faults] : faults.not_a_picture;
      return organisationView(request, { faults: { logo: said } });
    },
  },
  {
    method: 'POST',
    path: '/organisation/logo/remove',
    for: 'organisation.change',
    async run({ ctx, callers }) {
      await changeLogo(ctx, callers.live, { upload: null });
      return saved;
    },
  },
];
