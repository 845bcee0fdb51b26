import { incomeDocumentTypes } from '#contract/enums.ts';
import type { Link } from '#services/flow/find-link.ts';
import { help, type Point, points } from '../../pages/components.ts';
import type { IconName } from '../../pages/icons.ts';
import { html, type Markup, type Value } from '../../pages/markup.ts';
import { aimOf } from '../aim.ts';
import { contactLink } from '../contact.ts';
import type { Texts } from '../texts/texts.ts';

type Input = { link: Link; text: Texts };

/** What the organisation says about itself before the consent. Nothing if the organisation has set nothing. */
export function aboutOrganisation({ link, text: { welcome } }: Input): Markup | null {
  const { organisation, purpose, contact, privacyUrl } = link;
  if (purpose === null && contact === null && privacyUrl === null) return null;
  const { about } = welcome;
  const row = (name: string, value: Value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`
    <dl class="about">
      ${purpose === null ? null : row(about.purpose, purpose)}
      ${contact === null ? null : row(about.contact, contactLink(contact))}
      ${privacyUrl === null ? null : row(about.privacy, html`<a href=${privacyUrl} rel="noreferrer">${about.privacyLink(organisation)}</a>`)}
    </dl>
  `;
}

const drawings: Record<keyof Texts['welcome']['needs'], IconName> = {
  document: 'identity_card',
  face: 'selfie',
  camera: 'camera',
  bank: 'bank',
  income: 'papers',
};

/** What the person needs at hand, and how long it takes. */
export function aboutNeeds({ link, text: { welcome, papers } }: Input): Markup {
  const { method, consents } = link;
  const things =
    consents.includes('document') && !consents.includes('face') ? [...consents, 'camera' as const] : consents;
  const types = link.documentTypes ?? incomeDocumentTypes;
  const ofIncome = { hint: listOf(types.map((type) => papers.kinds[type].name)) };
  const needs = things.map(
    (need): Point => ({
      ...{ icon: drawings[need], ...welcome.needs[need] },
      ...(need === 'income' && ofIncome),
    }),
  );
  return points([...needs, { icon: 'clock', text: welcome.minutes[method] }], 'points needs');
}

/** Names that begin with a capital, as one line with one capital. */
const listOf = (names: readonly string[]): string =>
  names.map((name, index) => (index === 0 ? name : name.charAt(0).toLowerCase() + name.slice(1))).join(', ');

/** What is kept, in three lines that everybody sees, and all of it to unfold: what the law wants a person to know (GDPR 13). */
export function aboutData(input: Input): Markup {
  const { link, text } = input;
  const { organisation, method, kept } = link;
  const { welcome } = text;
  const { inShort, decision, copy, stored } = aimOf(link) === 'income' ? ofPapers(input) : ofPictures(input);
  return html`
    <section class="kept">
      <h2>${welcome.brief.title}</h2>
      ${points([
        { icon: 'lock', text: inShort.kept },
        { icon: 'clock', text: welcome.brief.result(kept, organisation) },
        { icon: 'shield', text: inShort.covered ?? welcome.brief.use[aimOf(link)](organisation) },
      ])}
      ${help(
        welcome.privacyTitle,
        html`
          <p>${welcome.use[method](organisation)}</p>
          ${decision === null ? null : html`<p>${decision}</p>`}
          ${copy === null ? null : html`<p>${copy}</p>`}
          <p>${stored} ${welcome.kept.result(kept)}</p>
          <p>${welcome.rights(organisation)} ${welcome.complaint}</p>
        `,
      )}
    </section>
  `;
}

/** The texts that depend on what is handed in. Sandbox stores nothing of it. */
type AboutEvidence = {
  inShort: { kept: string; covered: string | null };
  decision: string | null;
  copy: string | null;
  stored: string;
};

function ofPictures({ link, text: { welcome } }: Input): AboutEvidence {
  const { organisation, rule, kept, consents, environment, coverPortrait } = link;
  const showsDocument = consents.includes('document');
  const takesPictures = showsDocument && environment === 'live';
  const { brief } = welcome;
  return {
    inShort: takesPictures
      ? { kept: brief.pictures(kept), covered: brief.covered }
      : { kept: brief.noPictures, covered: null },
    decision: showsDocument ? welcome.decision[rule](organisation) : null,
    copy: takesPictures ? welcome.copy(coverPortrait) : null,
    stored: welcome.kept[takesPictures ? 'pictures' : 'noPictures'](kept),
  };
}

function ofPapers({ link, text: { welcome } }: Input): AboutEvidence {
  const { organisation, rule, kept, environment } = link;
  const isStored = environment === 'live';
  const { brief } = welcome;
  return {
    inShort: isStored
      ? { kept: brief.papers(kept), covered: brief.coveredPapers }
      : { kept: brief.noPapers, covered: null },
    decision: welcome.papersDecision[rule](organisation),
    copy: null,
    stored: welcome.kept[isStored ? 'papers' : 'noPapers'](kept),
  };
}
