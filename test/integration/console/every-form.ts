import { randomUUID } from 'node:crypto';
import { reasonsFor } from '#test/integration/reviews/reasons.ts';
import {
  codeOf,
  goodPassword,
  pathOfInvitation,
  sendContract,
  sendLogo,
} from '#test/support/people/console.ts';
import {
  about,
  browser,
  byOperator,
  claimed,
  contract,
  endpoint,
  examined,
  failed,
  harness,
  held,
  keyId,
  logo,
  member,
  owner,
  send,
  signIn,
  toEndpoint,
  url,
  verification,
  withPasskey,
} from './acting.ts';

export type Act = {
  /** The type of the line. Null: the form changes nothing. */
  line: string | null;
  /** Sends the form. Returns the id of the member who did, if it is not the owner. */
  run(): Promise<string | unknown>;
};

/** How each form of the console is sent so that it does what it is for. The organisation can work afterwards, whatever became of the form. */
export const acts: Record<string, Act> = {
  '/link/:token': {
    line: 'member.joined',
    run: async () => (await member()).memberId,
  },
  '/sign-in': {
    line: 'account.signed_in',
    async run() {
      const { email, memberId } = await member();
      await signIn(email);
      return memberId;
    },
  },
  '/sign-in/passkey': {
    line: 'account.signed_in',
    async run() {
      const { device, memberId } = await withPasskey();
      const visitor = browser();
      const { token = '' } = await visitor.get('/sign-in');
      await visitor.post('/sign-in/passkey', { credential: device.get(token) }, { token });
      return memberId;
    },
  },
  '/sign-in/code': {
    line: 'account.signed_in',
    async run() {
      const { email, memberId, secret } = await member('reviewer');
      const visitor = await signIn(email);
      await visitor.submit('/sign-in/code', '/sign-in/code', { code: codeOf(secret ?? Buffer.alloc(0), 1) });
      return memberId;
    },
  },
  '/sign-out': {
    line: 'account.signed_out',
    async run() {
      const { visitor, memberId } = await member();
      await visitor.submit('/account', '/sign-out');
      return memberId;
    },
  },
  '/second-factor': {
    line: 'account.second_factor_set',
    run: async () => (await member('reviewer')).memberId,
  },
  '/account/preferences': {
    line: 'account.preferences_changed',
    run: () => send('/account/preferences', { language: 'en', time_zone: 'UTC' }),
  },
  '/account/password': {
    line: 'account.password_changed',
    async run() {
      const { visitor, memberId } = await member();
      const fields = { old: goodPassword, fresh: 'gravel saucer meadow lighthouse' };
      await visitor.submit('/account', '/account/password', fields);
      return memberId;
    },
  },
  '/account/recovery-codes': {
    line: 'account.recovery_codes_renewed',
    run: () => send('/account/recovery-codes', { password_for_codes: goodPassword }),
  },
  '/account/sessions/:id/end': {
    line: 'account.session_ended',
    async run() {
      const { visitor, email, memberId } = await member();
      await signIn(email);
      const [other] = await harness.rows<{ id: string }>`
        select id from member_sessions where member_id = ${memberId} order by created_at desc limit 1`;
      await visitor.submit('/account', `/account/sessions/${other?.id}/end`);
      return memberId;
    },
  },
  // It asks for the password. The next form adds the passkey.
  '/account/passkeys': {
    line: null,
    run: () => send('/account/passkeys', { name: 'phone', password: goodPassword }),
  },
  '/account/passkeys/new': { line: 'member.passkey_added', run: async () => (await withPasskey()).memberId },
  '/account/passkeys/:id/remove': {
    line: 'member.passkey_removed',
    async run() {
      const { visitor, passkeyId, memberId } = await withPasskey();
      await visitor.submit('/account', `/account/passkeys/${passkeyId}/remove`);
      return memberId;
    },
  },
  '/members': {
    line: 'member.invited',
    run: () => send('/members', { email: `${randomUUID()}@example.com`, role: 'auditor' }),
  },
  '/members/:id/role': {
    line: 'member.role_changed',
    run: async () => send(`/members/${(await member()).memberId}/role`, { role: 'developer' }),
  },
  '/members/:id/disable': {
    line: 'member.disabled',
    run: async () => send(`/members/${(await member()).memberId}/disable`, { sure: 'yes' }),
  },
  '/members/:id/enable': {
    line: 'member.enabled',
    async run() {
      const { memberId } = await member();
      await send(`/members/${memberId}/disable`, { sure: 'yes' });
      await send(`/members/${memberId}/enable`);
    },
  },
  '/members/:id/remove': {
    line: 'member.removed',
    async run() {
      const { memberId } = await member();
      await send(`/members/${memberId}/disable`, { sure: 'yes' });
      await send(`/members/${memberId}/remove`, { sure: 'yes' });
    },
  },
  '/members/:id/reset': {
    line: 'member.reset_link_made',
    run: async () => send(`/members/${(await member()).memberId}/reset`),
  },
  '/members/:id/invite': {
    line: 'member.invited',
    async run() {
      const email = `${randomUUID()}@example.com`;
      await pathOfInvitation(harness, 'Acme', { email, role: 'auditor' });
      const [invited] = await harness.rows<{ id: string }>`select id from members where email = ${email}`;
      await send(`/members/${invited?.id}/invite`);
    },
  },
  '/operator/organisations/:id/pause': {
    line: 'organisation.changed',
    run: () => byOperator((send) => send('pause').finally(() => harness.settings({ paused: false }))),
  },
  '/operator/organisations/:id/resume': {
    line: 'organisation.changed',
    async run() {
      await harness.settings({ paused: true });
      return byOperator((send) => send('resume').finally(() => harness.settings({ paused: false })));
    },
  },
  '/operator/organisations/:id/endpoints/:endpoint/pause': {
    line: 'webhook.paused',
    async run() {
      const id = await endpoint();
      return byOperator((send) => send(`endpoints/${id}/pause`));
    },
  },
  '/operator/organisations/:id/endpoints/:endpoint/resume': {
    line: 'webhook.resumed',
    async run() {
      const id = await endpoint();
      return byOperator(async (send) => {
        await send(`endpoints/${id}/pause`);
        await send(`endpoints/${id}/resume`);
      });
    },
  },
  '/organisation/shown': {
    line: 'organisation.changed',
    run: () =>
      send('/organisation/shown', {
        ...{ purpose: 'To open your account', contact: 'help@shop.example', colour: '#0a5c8a' },
        ...{ privacyUrl: 'https://shop.example/privacy', returnUrl: '', offersOtherWay: 'false' },
      }),
  },
  '/organisation/rules': {
    line: 'organisation.changed',
    run: () =>
      send('/organisation/rules', {
        ...{
          decisions: 'people',
          reviewEyes: '1',
          evidenceDays: '21',
          coverPortrait: 'true',
          eraseByKey: 'true',
        },
      }),
  },
  '/organisation/logo': {
    line: 'organisation.changed',
    run: async () => sendLogo(url, owner.visitor, await logo()),
  },
  '/organisation/logo/remove': { line: 'organisation.changed', run: () => send('/organisation/logo/remove') },
  '/organisation/idin': {
    line: 'organisation.changed',
    run: async () => sendContract(url, owner.visitor, contract),
  },
  '/organisation/idin/remove': { line: 'organisation.changed', run: () => send('/organisation/idin/remove') },
  '/keys/new': {
    line: 'key.created',
    run: () => send('/keys/new', { name: 'shop', environment: 'sandbox', scopes: ['verify:read'] }),
  },
  '/keys/:id/rotate': {
    line: 'key.replaced',
    run: async () => send(`/keys/${await keyId()}/rotate`, { overlap: '0' }),
  },
  '/keys/:id/revoke': {
    line: 'key.revoked',
    run: async () => send(`/keys/${await keyId()}/revoke`, { sure: 'yes' }),
  },
  '/webhooks/new': {
    line: 'webhook.created',
    run: () =>
      send('/webhooks/new', {
        ...{
          url: 'https://127.0.0.1:1025/new',
          event_types: ['verification.completed'],
          environment: 'sandbox',
        },
      }),
  },
  '/webhooks/:id/rotate': {
    line: 'webhook.secret_rotated',
    run: () => toEndpoint('rotate', { overlap: '0' }),
  },
  '/webhooks/:id/test': { line: 'webhook.tested', run: () => toEndpoint('test') },
  '/webhooks/:id/resend-failed': {
    line: 'webhook.resends_ordered',
    async run() {
      const { endpointId } = await failed();
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
      await send(`/webhooks/${endpointId}/resend-failed`, { failed_from: yesterday, failed_until: tomorrow });
    },
  },
  '/webhooks/:id/pause': { line: 'webhook.paused', run: () => toEndpoint('pause') },
  '/webhooks/:id/resume': {
    line: 'webhook.resumed',
    async run() {
      const id = await endpoint();
      await send(`/webhooks/${id}/pause`);
      await send(`/webhooks/${id}/resume`);
    },
  },
  '/webhooks/:id/delete': { line: 'webhook.deactivated', run: () => toEndpoint('delete', { sure: 'yes' }) },
  '/deliveries/:id/resend': {
    line: 'webhook.resent',
    run: async () => send(`/deliveries/${(await failed()).id}/resend`),
  },
  '/verifications/:id/evidence': {
    line: 'evidence.viewed',
    run: async () => void (await send(`/verifications/${await examined()}/evidence`)),
  },
  '/verifications/:id/link': { line: 'verification.link_renewed', run: () => about('link') },
  '/verifications/:id/complete': {
    line: 'verification.completed',
    run: () => about('complete', { scenario: 'approved' }),
  },
  '/verifications/:id/cancel': {
    line: 'verification.cancelled',
    run: () => about('cancel', { sure: 'yes' }),
  },
  '/verifications/:id/erase': { line: 'verification.erased', run: () => about('erase', { sure: 'yes' }) },
  '/verifications/:id/dossier': { line: 'dossier.made', run: () => about('dossier', { format: 'json' }) },
  '/verifications/:id/reopen': {
    line: 'verification.reopened',
    run: () => about('reopen', {}, { scenario: 'rejected' }),
  },
  '/review/next': {
    line: 'review.claimed',
    run: async () => {
      await verification({ scenario: 'review' });
      await send('/review/next', { environment: 'sandbox' });
    },
  },
  '/review/:id/claim': { line: 'review.claimed', run: claimed },
  '/review/:id/decide': {
    line: 'verification.reviewed',
    async run() {
      const reason = reasonsFor('approved', 'document_only');
      await send(`/review/${await claimed()}/decide`, { outcome: 'approved', reason });
    },
  },
  '/review/:id/take-back': {
    line: 'review.taken_back',
    run: async () => send(`/review/${await held()}/take-back`),
  },
  '/review/:id/release': {
    line: 'review.released',
    run: async () => send(`/review/${await claimed()}/release`),
  },
};
