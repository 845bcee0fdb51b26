import { html } from 'htm/preact';
import type { Link } from '#services/flow/find-link.ts';
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
  `;
}

/** What the law wants a person to know before the consent (GDPR 13). */
export function aboutData({ link, text: { welcome } }: Input): Markup {
  const { organisation, method, rule, kept, consents, environment, coverPortrait } = link;
  const showsDocument = consents.includes('document');
  const takesPictures = showsDocument && environment === 'live';
  return html`
    <details>
      <summary>${welcome.privacyTitle}</summary>
      <p>${welcome.use[method](organisation)}</p>
      ${showsDocument ? html`<p>${welcome.decision[rule](organisation)}</p>` : null}
      ${takesPictures ? html`<p>${welcome.copy(coverPortrait)}</p>` : null}
      <p>${welcome.kept[takesPictures ? 'pictures' : 'noPictures'](kept)} ${welcome.kept.result(kept)}</p>
      <p>${welcome.rights(organisation)} ${welcome.complaint}</p>
    </details>
  `;
}
