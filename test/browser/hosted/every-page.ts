import sharp from 'sharp';
import { storedOf } from '../../integration/verify/stored.ts';
import { call, type Harness } from '../../support/harness.ts';
import { person } from '../../support/people/person.ts';
import { anyPicture } from '../../support/people/picture.ts';

/** The organisation of these pages has set everything that can be set. */
export const organisation = 'Voorbeeld Verzekeringen';

/** A logo that belongs to nobody: three bars in the colour of the organisation. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="256" height="256">
  <rect width="64" height="64" rx="14" fill="#3b2a8c"/><path d="M16 46V30M32 46V18M48 46V24" stroke="#fff"
  stroke-width="8" stroke-linecap="round"/></svg>`;

/** Makes one verification for each page that a person can meet. Returns the path of each page by its name. */
export async function everyPage(harness: Harness): Promise<Record<string, string>> {
  const { key } = await harness.key({ org: organisation });
  const { key: live } = await harness.key({ org: organisation, environment: 'live' });
  await harness.settings(
    {
      purpose: 'De wet vraagt ons te weten wie onze klanten zijn.',
      contact: 'klantenservice@voorbeeld.example',
      privacyUrl: 'https://voorbeeld.example/privacy',
      returnUrl: 'https://voorbeeld.example/account',
      colour: '#3b2a8c',
      offersOtherWay: true,
      decisions: 'machine_may_reject',
    },
    organisation,
  );
  await harness.logo(await sharp(Buffer.from(logo)).png().toBuffer(), organisation);

  const created = async (withKey: string, body: object) =>
    (await call(harness, 'POST', '/v1/verifications', { key: withKey, body })).json;
  const open = (method: string) => created(key, { method, sandbox: { auto_complete: false } });
  const begun = async (
    method: string,
    ...specimens: ('card_front' | 'card_back' | 'selfie' | 'movements')[]
  ) => {
    const { id, verify_url } = await open(method);
    const user = person(harness, verify_url);
    await user.start();
    for (const kind of specimens) await user.specimen(kind);
    return { id, user, path: user.path };
  };
  const waiting = async () => {
    const { verify_url } = await created(live, { method: 'document_only' });
    const user = person(harness, verify_url);
    await user.start();
    await user.upload('passport_page', await anyPicture());
    await user.submit();
    return user.path;
  };
  const pathOf = ({ verify_url }: { verify_url: string }) => new URL(verify_url).pathname;
  const card = ['card_front', 'card_back'] as const;
  const advised = await begun('document_liveness', ...card, 'selfie', 'movements');
  await harness.rows`
    update evidence set look = 'unreadable', advised = 1
    where verification_id = ${advised.id} and kind = 'card_front'`;
  const document = await begun('document_liveness');
  const declined = person(harness, (await open('document_liveness')).verify_url);
  await declined.decline();
  const stopped = await begun('document_liveness');
  await stopped.user.press('withdraw');
  const late = await begun('document_only');
  await storedOf(harness).expire(late.id);
  const cancelled = await open('document_only');
  await call(harness, 'POST', `/v1/verifications/${cancelled.id}/cancel`, { key });
  const sandboxed = (scenario: string) => created(key, { method: 'document_only', sandbox: { scenario } });
  return {
    welcome: pathOf(await created(live, { method: 'document_liveness' })),
    'welcome-bank': pathOf(await open('idin')),
    document: document.path,
    'photo-of-card': `${document.path}?take=card_front`,
    'photo-of-passport-fault': `${document.path}?take=passport_page&fault=glare`,
    'photo-with-advice': `${advised.path}?take=card_front`,
    'confirm-with-advice': advised.path,
    following: `${document.path}?follow=phone`,
    selfie: (await begun('document_liveness', ...card)).path,
    movements: (await begun('document_liveness', ...card, 'selfie')).path,
    bank: (await begun('idin')).path,
    confirm: (await begun('document_liveness', ...card, 'selfie', 'movements')).path,
    checking: await waiting(),
    done: pathOf(await sandboxed('approved')),
    'rejected-by-machine': pathOf(await sandboxed('rejected')),
    'other-way': declined.path,
    stopped: stopped.path,
    expired: late.path,
    cancelled: pathOf(cancelled),
    unknown: '/verify/nothing',
    'no-page': `${document.path}/nowhere`,
  };
}
