import type { Asset } from '#api/pages/assets.ts';
import { assets } from '#api/verify/assets.ts';
import { render } from '#api/verify/page.ts';
import type { PageInput } from '#api/verify/parts.ts';
import { texts } from '#api/verify/texts/texts.ts';
import { capture } from '#api/verify/views/capture.ts';

const link = {
  ...{ environment: 'live', mayDecline: false, organisation: 'Example', advice: {} },
  consents: ['document', 'face'],
};
const input = { link, text: texts.en, token: 'x', language: 'en', base: '' } as unknown as PageInput;

/** The page that takes a picture, without a service behind it. */
export const pageThatTakes = (kind: 'passport_page' | 'selfie'): string =>
  render('', { ...capture(input, kind), language: 'en' });

/** A file of that page, by its address. */
export const assetOf = (url: string): Asset | undefined =>
  assets.get((url.split('/').at(-1) ?? '').replace(/\.[0-9a-f]{12}\./, '.'));
