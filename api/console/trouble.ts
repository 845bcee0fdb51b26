import { html } from 'htm/preact';
import type { Markup } from '../pages/markup.ts';
import type { PageRequest, View } from './request.ts';

/** The page for an id that is unknown, malformed or of another organisation. All three look the same. */
export const notFound = ({ text }: Pick<PageRequest, 'text'>): View => ({
  title: text.trouble.notFound.title,
  body: html`<p>${text.trouble.notFound.text}</p><p><a href="/">${text.back}</a></p>` as Markup,
  status: 404,
  isFaulty: true,
});
