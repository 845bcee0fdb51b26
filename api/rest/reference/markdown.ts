import { html } from 'htm/preact';
import type { ComponentChild, VNode } from 'preact';

/** Paragraphs, `code` and **bold**: the Markdown that the texts of the interface use. */
export const paragraphs = (text = ''): VNode[] =>
  text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => html`<p>${inline(paragraph)}</p>` as VNode);

/** Splitting by a group puts each match of the group between the other parts. */
export const inline = (text = ''): ComponentChild[] =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    if (index % 2 === 0) return part;
    return part.startsWith('`')
      ? html`<code>${part.slice(1, -1)}</code>`
      : html`<strong>${part.slice(2, -2)}</strong>`;
  });
