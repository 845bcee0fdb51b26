import { html, type Markup, type Value } from '../../pages/markup.ts';

/** Supports paragraphs, `code` and **bold**, since the texts of the interface use no other Markdown. */
export const paragraphs = (text = ''): Markup[] =>
  text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => html`<p>${inline(paragraph)}</p>`);

/** The pattern has a group, so `split` also returns the matches of the group. They are at the odd indexes. */
export const inline = (text = ''): Value[] =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    if (index % 2 === 0) return part;
    return part.startsWith('`')
      ? html`<code>${part.slice(1, -1)}</code>`
      : html`<strong>${part.slice(2, -2)}</strong>`;
  });
