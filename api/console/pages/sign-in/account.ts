import { languages } from '#contract/enums.ts';
import { changePassword, changePreferences } from '#services/members/account.ts';
import { listPasskeys } from '#services/members/passkeys.ts';
import { recoveryCodesLeft, renewRecoveryCodes } from '#services/members/second-factor.ts';
import { endSession, listSessions } from '#services/members/sessions.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { choice, field, form, isUuid, when } from '../../parts.ts';
import type { ConsolePage, MemberRequest, View } from '../../request.ts';
import { countInside } from '../../session/attempts.ts';
import { table } from '../../table.ts';
import { zoneInWords } from '../../values/days.ts';
import { codesView } from './second-factor.ts';

type Faults = Partial<Record<'language' | 'timeZone' | 'old' | 'fresh' | 'codes', string>>;

const zones: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

async function accountView(request: MemberRequest, faults: Faults = {}): Promise<View> {
  const { text } = request;
  const isFaulty = Object.keys(faults).length > 0;
  return {
    title: text.account.title,
    isFaulty,
    status: isFaulty ? 422 : 200,
    refused: faults.old === undefined && faults.codes === undefined ? undefined : 'wrong_password',
    body: html`
      ${preferences(request, faults)}
      ${password(request, faults)}
      ${await secondFactor(request, faults)}
      ${await passkeys(request)}
      ${await sessions(request)}
    `,
  };
}

function preferences(request: MemberRequest, faults: Faults): Markup {
  const { text, member, form: sent } = request;
  const { account } = text;
  const isShown = faults.language === undefined && faults.timeZone === undefined;
  return html`
    <section>
      <h2>${account.preferences}</h2>
      ${form(
        request,
        '/account/preferences',
        html`
          ${choice({ name: 'language', label: account.language, fault: faults.language, value: sent.get('language') ?? member.language, options: languages.map((value) => ({ value, name: account.languages[value] })) })}
          ${choice({ name: 'time_zone', label: account.timeZone, hint: account.timeZoneHint, fault: faults.timeZone, value: sent.get('time_zone') ?? member.timeZone, options: zones.map((value) => ({ value, name: zoneInWords(value) })) })}
          <label class="box"><input type="checkbox" name="shortcuts" value="yes" checked=${isShown ? member.hasShortcuts : sent.get('shortcuts') === 'yes'} /> ${account.shortcuts}</label>
          <button>${text.save}</button>
        `,
      )}
    </section>
  `;
}

const password = (request: MemberRequest, faults: Faults): Markup => html`
  <section>
    <h2>${request.text.account.password}</h2>
    ${form(
      request,
      '/account/password',
      html`
        ${field({ name: 'old', label: request.text.account.old, type: 'password', reveal: request.text.showPassword, fault: faults.old, autocomplete: 'current-password', required: true })}
        ${field({ name: 'fresh', label: request.text.account.fresh, type: 'password', reveal: request.text.showPassword, hint: request.text.signIn.link.hint, fault: faults.fresh, autocomplete: 'new-password', required: true })}
        <button>${request.text.account.change}</button>
      `,
    )}
  </section>
`;

async function secondFactor(request: MemberRequest, faults: Faults): Promise<Markup> {
  const { ctx, member } = request;
  const { account } = request.text;
  if (!member.hasSecondFactor)
    return html`
      <section><h2>${account.secondFactor}</h2><p>${account.hasNot}</p><p><a role="button" href="/second-factor">${account.setUp}</a></p></section>
    `;
  const left = await recoveryCodesLeft(ctx, member);
  return html`
    <section>
      <h2>${account.secondFactor}</h2>
      <p>${account.has} ${account.codesLeft(left)} ${account.replace}</p>
      ${form(
        request,
        '/account/recovery-codes',
        html`
          ${field({ name: 'password_for_codes', label: account.old, type: 'password', reveal: request.text.showPassword, fault: faults.codes, autocomplete: 'current-password', required: true })}
          <button class="secondary">${account.newCodes}</button>
        `,
      )}
    </section>
  `;
}

async function passkeys({ ctx, member, text }: MemberRequest): Promise<Markup> {
  const t = text.account.passkeys;
  const { length } = await listPasskeys(ctx, member);
  return html`
    <section><h2>${t.title}</h2><p>${t.count(length)}</p><p><a role="button" class="secondary" href="/account/passkeys">${t.manage}</a></p></section>
  `;
}

async function sessions(request: MemberRequest): Promise<Markup> {
  const { ctx, member } = request;
  const { account } = request.text;
  const all = await listSessions(ctx, member);
  return html`
    <section>
      <h2>${account.sessions}</h2>
      ${table(
        {
          label: account.sessions,
          columns: [account.browser, account.address, account.since, account.seen, account.action],
          names: 0,
        },
        all.map((each) => ({
          cells: [
            each.userAgent || '–',
            each.address,
            when(request, each.createdAt),
            when(request, each.lastSeenAt),
            each.id === member.sessionId
              ? account.this
              : form(
                  request,
                  `/account/sessions/${each.id}/end`,
                  html`<button class="quiet">${account.end}</button>`,
                ),
          ],
        })),
      )}
    </section>
  `;
}

export const accountPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/account',
    for: 'account.own',
    nav: 'account',
    run: (request) => accountView(request),
  },
  {
    method: 'POST',
    path: '/account/preferences',
    for: 'account.own',
    async run(request) {
      const { ctx, member, text, form: sent } = request;
      const timeZone = zones.find((zone) => zone === sent.get('time_zone'));
      const language = languages.find((each) => each === sent.get('language'));
      const faults = {
        ...(language === undefined && { language: text.account.languageFault }),
        ...(timeZone === undefined && { timeZone: text.account.timeZoneFault }),
      };
      if (language === undefined || timeZone === undefined) return accountView(request, faults);
      const hasShortcuts = sent.get('shortcuts') === 'yes';
      await changePreferences(ctx, member, { language, timeZone, hasShortcuts });
      return { to: '/account', notice: 'saved' };
    },
  },
  {
    method: 'POST',
    path: '/account/password',
    for: 'account.own',
    async run(request) {
      const { ctx, member, text, form: sent, device } = request;
      const full = await countInside(request);
      if (full !== undefined) return full;
      const given = { old: (sent.get('old') ?? '').slice(0, 400), fresh: sent.get('fresh') ?? '' };
      const fault = await changePassword(ctx, member, { ...given, device });
      if (typeof fault === 'object')
        return { to: '/account', notice: 'password_changed', session: fault.token };
      return accountView(
        request,
        fault === 'wrong' ? { old: text.account.wrong } : { fresh: text.signIn.link.faults[fault] },
      );
    },
  },
  {
    method: 'POST',
    path: '/account/recovery-codes',
    for: 'account.own',
    async run(request) {
      const { ctx, member, text, form: sent } = request;
      if (!member.hasSecondFactor) return accountView(request);
      const full = await countInside(request);
      if (full !== undefined) return full;
      const codes = await renewRecoveryCodes(
        ctx,
        member,
        (sent.get('password_for_codes') ?? '').slice(0, 400),
      );
      if (codes === 'wrong') return accountView(request, { codes: text.account.wrong });
      return codesView(request, text.account.newCodesTitle, codes);
    },
  },
  {
    method: 'POST',
    path: '/account/sessions/:id/end',
    for: 'account.own',
    async run({ ctx, member, params }) {
      if (isUuid(params.id ?? '')) await endSession(ctx, member, params.id ?? '');
      return { to: '/account', notice: 'session_ended' };
    },
  },
];
