import { html } from 'htm/preact';
import type { Link } from '#services/flow/find-link.ts';
import { help, type Point, points } from '../pages/components.ts';
import type { IconName } from '../pages/icons.ts';
import type { Markup } from '../pages/markup.ts';
import type { Texts } from './text-fields.ts';

type Input = { link: Link; text: Texts };

/** What the organisation says about itself before the consent. Nothing if the organisation has set nothing. */
export function aboutOrganisation({ link, text: { welcome } }: Input): Markup | null {
  const { organisation, purpose, contact, privacyUrl } = link;
  if (purpose === null && contact === null && privacyUrl === null) return null;
  const { about } = welcome;
  const row = (name: string, value: unknown) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`
    <dl class="about">
      ${purpose === null ? null : row(about.purpose, purpose)}
      ${contact === null ? null : row(about.contact, contact)}
      ${privacyUrl === null ? null : row(about.privacy, html`<a href=${privacyUrl} rel="noreferrer">${about.privacyLink(organisation)}</a>`)}
    </dl>
  ` as Markup;
}

const drawings: Record<keyof Texts['welcome']['needs'], IconName> = {
  document: 'identity_card',
  face: 'selfie',
  camera: 'camera',
  bank: 'bank',
  income: 'papers',
};

/** What the person needs at hand, and how long it takes. */
export function aboutNeeds({ link: { method, consents }, text: { welcome } }: Input): Markup {
  const things =
    consents.includes('document') && !consents.includes('face') ? [...consents, 'camera' as const] : consents;
  const needs = things.map((need): Point => ({ icon: drawings[need], ...welcome.needs[need] }));
  return points([...needs, { icon: 'clock', text: welcome.minutes[method] }], 'points needs');
}

/** What is kept, in three lines that everybody sees, and all of it to unfold: what the law wants a person to know (GDPR 13). */
export function aboutData({ link, text: { welcome } }: Input): Markup {
  const { organisation, method, rule, kept, consents, environment, coverPortrait } = link;
  const showsDocument = consents.includes('document');
  const takesPictures = showsDocument && environment === 'live';
  const { brief } = welcome;
  const aim = consents.includes('income') ? 'income' : 'identity';
  return html`
    <section class="kept">
      <h2>${brief.title}</h2>
      ${points([
        { icon: 'lock', text: takesPictures ? brief.pictures(kept) : brief.noPictures },
        { icon: 'clock', text: brief.result(kept, organisation) },
        { icon: 'shield', text: takesPictures ? brief.covered : brief.use[aim](organisation) },
      ])}
      ${help(
        welcome.privacyTitle,
        html`
          <p>${welcome.use[method](organisation)}</p>
          ${showsDocument ? html`<p>${welcome.decision[rule](organisation)}</p>` : null}
          ${takesPictures ? html`<p>${welcome.copy(coverPortrait)}</p>` : null}
          <p>${welcome.kept[takesPictures ? 'pictures' : 'noPictures'](kept)} ${welcome.kept.result(kept)}</p>
          <p>${welcome.rights(organisation)} ${welcome.complaint}</p>
        ` as Markup,
      )}
    </section>
  ` as Markup;
}
