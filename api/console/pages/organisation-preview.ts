import type { OwnSettings } from '#services/organisations/own-settings.ts';
import { accentOf, contrast } from '../../pages/contrast.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { texts as hosted } from '../../verify/texts/texts.ts';
import type { MemberRequest } from '../request.ts';

/** As in the shared style sheet, with the accent of pages whose organisation has chosen none. */
export const modes = {
  light: { back: '#f4f5f7', card: '#ffffff', text: '#16202b', fill: '#0a6e4f', ink: '#ffffff' },
  dark: { back: '#0d1217', card: '#151b22', text: '#e8edf2', fill: '#4cc59a', ink: '#06231a' },
} as const;
type Mode = keyof typeof modes;

/** The colours of the button and of a link. */
function accentIn(mode: Mode, colour: string | null) {
  const { fill, ink } = modes[mode];
  if (colour === null) return { fill, ink, link: fill };
  const accent = accentOf(colour);
  return { ...accent, link: accent.strong[mode] };
}

/** Draws the hosted page as the organisation's logo and colour make it. A drawing needs no style of its own in the page. */
export function preview(request: MemberRequest, settings: OwnSettings): Markup {
  const text = request.text.organisation.preview;
  const page = hosted[request.language].welcome;
  const { fill, ink: onFill } = accentIn('light', settings.colour);
  const name = settings.displayName ?? settings.name;
  const ratio = contrast(fill, onFill).toFixed(1);
  return html`
    <section>
      <h2>${text.title}</h2>
      <p>${text.text}</p>
      <svg class="preview" viewBox="0 0 520 260" role="img" aria-label=${text.label(name)}>
        ${(['light', 'dark'] as const).map((mode, i) => {
          const { back, card, text: ink } = modes[mode];
          const accent = accentIn(mode, settings.colour);
          return html`
            <g transform=${`translate(${i * 265} 0)`}>
              <rect width="255" height="260" rx="12" fill=${back} stroke="#8a94a0" />
              ${
                settings.logo === null
                  ? html`<text x="22" y="40" font-size="15" font-weight="600" fill=${ink}>${short(name)}</text>`
                  : html`<rect x="16" y="14" width="108" height="40" rx="4" fill="#ffffff" /><image x="20" y="18" width="100" height="32" preserveAspectRatio="xMinYMid meet" href=${`/logos/${settings.logo}.png`} />`
              }
              <rect x="14" y="66" width="227" height="176" rx="8" fill=${card} />
              <text x="30" y="98" font-size="16" font-weight="700" fill=${ink}>${page.title}</text>
              <text x="30" y="122" font-size="11" fill=${ink}>${short(settings.purpose ?? '')}</text>
              <rect x="30" y="146" width="195" height="40" rx="6" fill=${accent.fill} />
              <text x="127" y="171" font-size="14" font-weight="600" text-anchor="middle" fill=${accent.ink}>${page.start}</text>
              <text x="30" y="218" font-size="12" text-decoration="underline" fill=${accent.link}>${page.about.privacy}</text>
              <text x="225" y="218" font-size="10" text-anchor="end" fill=${ink}>${text[mode]}</text>
            </g>
          `;
        })}
      </svg>
      <p>${text.contrast(ratio)}</p>
    </section>
  `;
}

const charactersShown = 30;

const short = (text: string): string => {
  const characters = [...text];
  return characters.length <= charactersShown
    ? text
    : `${characters.slice(0, charactersShown - 1).join('')}…`;
};
