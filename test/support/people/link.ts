import type { PageInput } from '#api/verify/parts.ts';
import { showStep } from '#api/verify/views.ts';
import type { Language } from '#contract/enums.ts';
import { verificationMethods } from '#policy/methods/table.ts';
import { keptForEndUsers } from '#policy/retention.ts';

type Link = PageInput['link'];

/** The page of a step, as the person reads it, without a server. `given` is what differs from a document of live that waits for nothing. */
export function pageOf(given: Partial<Link> & Pick<Link, 'step'>, language: Language): string {
  const method = given.method ?? 'document_only';
  const link = {
    ...{ method, environment: 'live', organisation: 'Acme', rule: 'people', ending: 'plain' },
    ...{ consents: verificationMethods[method].consents, languages: ['nl', 'en'], kept: keptForEndUsers(30) },
    ...{ received: [], receivedAt: new Map(), advice: {}, stage: 'reading', wait: 'seconds', bank: null },
    ...{ papers: [], documentTypes: null, mayDecline: false, withdrawnAt: null, returnTo: null },
    ...{ logo: null, colour: null, purpose: null, contact: null, privacyUrl: null, coverPortrait: true },
    ...given,
  } as Link;
  return showStep({ link, language, token: 'token', base: '', address: 'https://verify.example/token' });
}
