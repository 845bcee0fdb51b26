import { renderToString } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';
import { detailsOf } from '#api/console/pages/log-details.ts';
import type { MemberRequest } from '#api/console/request.ts';
import { texts } from '#api/console/texts/texts.ts';
import { html } from '#api/pages/markup.ts';
import type { Language } from '#contract/enums.ts';
import { fallbacks, isText, settingName, settingProperties } from '#policy/organisation-settings.ts';
import type { Act } from '#services/acts/search.ts';

/** A line of the log says in words what it holds, and nothing else. */

function said(language: Language, type: string, data: object): string[] {
  const member = { timeZone: 'UTC' } as MemberRequest['member'];
  const parts = detailsOf({ language, member, text: texts[language] }, { type, data } as Act);
  return parts.map((part) => renderToString(html`<b>${part}</b>` as never).replaceAll(/<[^>]*>/g, ''));
}
const changed = (language: Language, ...changes: object[]) =>
  said(language, 'organisation.changed', { changed: changes });

test.each([
  ['evidence_days', 30, 60, '30 days → 60 days', '30 dagen → 60 dagen'],
  ['erase_by_key', false, true, 'no → yes', 'nee → ja'],
  ['paused', true, false, 'paused → active', 'gepauzeerd → actief'],
  ['languages', 'nl', 'en', 'Dutch → English', 'Nederlands → Engels'],
  ['review_eyes', 2, 1, '2 members, who do not see each other’s choice → 1 member', '→ 1 lid'],
  [
    'decisions',
    'people',
    'a_rule_of_before',
    'a computer only advises → a_rule_of_before',
    'alleen advies →',
  ],
])('%s from %s to %s is said as the page says it', (setting, from, to, english, dutch) => {
  expect(changed('en', { setting, from, to }).join()).toContain(english);
  expect(changed('nl', { setting, from, to }).join()).toContain(dutch);
});

describe.each(['en', 'nl'] as const)('in %s', (language) => {
  test('each setting has the name of its page, and a text has no value, whatever the line holds', () => {
    for (const property of settingProperties.filter((each) => each !== 'paused')) {
      const change = { setting: settingName(property), from: 'jan@example.com', to: 'An Jansen' };
      const name = texts[language].organisation.names[property];
      const value = isText(property) ? '' : expect.stringContaining('An Jansen');
      expect(changed(language, change).map((line) => [line.split(':')[0], line.slice(name.length)])).toEqual([
        [name, value],
      ]);
    }
  });

  test('a value that was not set is said so; without values only the name is said', () => {
    const { names, notSet } = texts[language].organisation;
    expect(changed(language, { setting: 'decisions', from: null, to: null })).toEqual([
      `${names.decisions}: ${notSet} → ${notSet}`,
    ]);
    expect(changed(language, { setting: 'decisions' }, { setting: 'logo' })).toEqual([
      names.decisions,
      'Logo',
    ]);
  });

  test('a setting that this version does not know stays as it is, without its values', () =>
    expect(changed(language, { setting: 'retention_days', from: 'An', to: 'Jan' })).toEqual([
      'retention_days',
    ]));

  test('a line without values says nothing more', () => {
    for (const type of Object.keys(texts[language].log.acts))
      expect([type, said(language, type, {})]).toEqual([type, []]);
  });
});

test('every setting of an organisation has words for each of its values', () => {
  for (const property of settingProperties.filter((each) => !isText(each))) {
    const [line = ''] = changed('en', { setting: settingName(property), from: fallbacks[property], to: 'x' });
    expect([property, line]).toEqual([property, expect.not.stringMatching(/true|false|[a-z]_[a-z]|nl,en/)]);
  }
});

const id = '00000000-0000-4000-8000-000000000000';
test.each([
  ['account.code_refused', { kind: 'recovery_code' }, ['a recovery code']],
  ['account.code_refused', { kind: 'setup' }, ['of an app that was being set up']],
  ['member.role_changed', { from: 'auditor', to: 'owner', member_id: id }, ['Auditor → Owner']],
  ['member.joined', { member_id: id, let_in_by: id }, []],
  [
    'key.created',
    { environment: 'live', scopes: ['verify:read', 'verify:create'], rate_limit: 1200, expires_at: null },
    ['Live', 'verify:read, verify:create', 'Requests per minute: 1,200', 'Ends: no end: until it is revoked'],
  ],
  [
    'key.replaced',
    { replaced_by: id, works_until: '2026-11-23T10:00:00.000Z' },
    [`New key: ${id}`, 'The old key works until 2026-11-23 10:00 UTC'],
  ],
  [
    'webhook.created',
    { environment: 'all', event_types: ['verification.completed', 'verification.failed'] },
    ['sandbox and live', 'verification.completed, verification.failed'],
  ],
  ['webhook.secret_rotated', { overlap_hours: 24 }, ['The old secret also signs for: 24 hours']],
  ['webhook.resent', { delivery_id: id, of: id }, [`Delivery ${id}`]],
  ['webhook.tested', { delivery_id: null }, []],
  [
    'webhook.resends_ordered',
    { created_from: '2026-11-20T00:00:00.000Z', created_before: '2026-11-22T00:00:00.000Z', failed: 3 },
    ['Days: 2026-11-20 – 2026-11-21', 'To send again: 3'],
  ],
  ['webhook.resumed', { paused_at: '2026-11-23T10:00:00.000Z' }, ['Paused since 2026-11-23 10:00 UTC']],
  ['verification.reviewed', { verdict: { outcome: 'rejected', reasons: ['x'] } }, ['Outcome: rejected']],
  [
    'verification.link_renewed',
    { expires_at: '2026-11-23T10:00:00.000Z', request_id: id },
    ['Link expires: 2026-11-23 10:00 UTC'],
  ],
  [
    'verification.exported',
    { kinds: ['selfie', 'a_kind_of_before'] },
    ['Photo of the face; a_kind_of_before'],
  ],
  ['dossier.made', { format: 'pdf', lines: 9 }, ['PDF']],
  ['relation.ended', { ended_on: '2026-11-23' }, ['Last day: 23 Nov 2026']],
])('%s says what its line holds', (type, data, lines) => expect(said('en', type, data)).toEqual(lines));
