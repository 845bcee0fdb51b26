import type { Language } from '#contract/enums.ts';
import type { Link } from '#services/flow/find-link.ts';
import { showStep } from './views.ts';

/** The page of a sample link, to be looked at on another server than that of the hosted pages. `mountFiles` serves what it loads. */
export const showSample = (link: Link, language: Language): string =>
  showStep({ token: 'sample', base: '/verify/', language, link, address: '', isPreview: true });
