import { html } from '../pages/markup.ts';
import type { PageRequest, View } from './request.ts';

/** A page that shows why nothing was changed. The code is for the log. */
export const refusing = (code: string) => ({ status: 409, refused: code, isFaulty: true }) as const;

/** A form that is shown again with its faults. */
export const faulty = { status: 422, isFaulty: true } as const;

const shown = { status: 200, isFaulty: false } as const;

/** How a page ends that may refuse, or show a form again. */
export const endOf = (code: string | undefined, isFaulty = false) =>
  code !== undefined ? refusing(code) : isFaulty ? faulty : shown;

/** The page for an id that is unknown, malformed or of another organisation. All three look the same. */
export const notFound = ({ text }: Pick<PageRequest, 'text'>): View => ({
  title: text.trouble.notFound.title,
  body: html`<p>${text.trouble.notFound.text}</p><p><a href="/">${text.back}</a></p>`,
  status: 404,
  refused: 'unknown_id',
  isFaulty: true,
});
