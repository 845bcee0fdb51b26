import { languages } from '#contract/enums.ts';
import { sampleLink } from '#services/flow/sample-link.ts';
import type { OwnSettings } from '#services/organisations/own-settings.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { showSample } from '../../verify/sample.ts';
import type { ConsolePage, MemberRequest } from '../request.ts';

const path = '/organisation/preview';

/** What an end user sees first, by what is stored. Without a language that the organisation offers, it is in that of the member. */
export const previewPage: ConsolePage = {
  method: 'GET',
  path,
  for: 'organisation.see',
  async run({ ctx, callers, query, language }) {
    const link = await sampleLink(ctx, callers.live);
    const offered = (wanted: string | null) => link.languages.find((each) => each === wanted);
    const chosen = offered(query.get('lang')) ?? offered(language) ?? link.languages[0] ?? language;
    return { preview: showSample(link, chosen) };
  },
};

/** The links change what the frame shows, so nothing that somebody typed into a form is lost. */
export function preview({ text: { organisation } }: MemberRequest, settings: OwnSettings): Markup {
  const text = organisation.preview;
  const offered = languages.filter((each) => settings.languages.includes(each));
  return html`
    <section>
      <h2>${text.title}</h2>
      <p>${text.text}</p>
      ${
        offered.length === 1
          ? null
          : html`<p class="tabs">${offered.map((each) => html`<a class="tab" href=${`${path}?lang=${each}`} target="preview">${organisation.languages[each]}</a>`)}</p>`
      }
      <iframe class="preview" name="preview" src=${path} title=${text.frame} sandbox="allow-same-origin"></iframe>
    </section>
  `;
}
