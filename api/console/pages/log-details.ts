import type { Outcome } from '#contract/enums.ts';
import { consoleRoles } from '#contract/members.ts';
import type { Act } from '#services/acts/search.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { when } from '../parts.ts';
import type { MemberRequest } from '../request.ts';
import type { Texts } from '../texts/texts.ts';
import { spanInWords } from '../values/days.ts';
import { dayIn } from '../values/money.ts';
import { changeInWords } from '../values/settings-in-words.ts';

/** Who reads the line. */
type Reader = Pick<MemberRequest, 'language' | 'member' | 'text'>;
type Part = Markup | string | undefined;
type Details = (request: Reader, data: Act['data']) => readonly Part[];

/** The words, numbers and times of the line that say more, one a row. Whatever else a line has is not shown. */
export const detailsOf = (request: Reader, { type, data }: Act): (Markup | string)[] =>
  (details[type]?.(request, data) ?? []).flatMap((part) => (part ? [part] : []));

/** An older line can lack a value, and name what this version does not know. */
const details: Readonly<Record<string, Details>> = {
  'account.signed_in': ({ text }, data) => [text.log.ways[String(data.with)]],
  'account.code_refused': ({ text }, data) => [text.log.refusedCodes[String(data.kind)]],
  'member.invited': ({ text }, data) => [roleIn(text, data.role)],
  'member.role_changed': ({ text }, { from, to }) => [
    [from, to]
      .map((role) => roleIn(text, role))
      .filter(Boolean)
      .join(' → '),
  ],
  'key.created': keyDetails,
  'key.replaced': (request, { replaced_by, works_until }) => {
    const t = request.text;
    const until = timeIn(works_until);
    return [
      typeof replaced_by === 'string' ? html`${t.log.newKey}: <code>${replaced_by}</code>` : undefined,
      until && html`${t.keys.oldUntil} ${when(request, until)}`,
    ];
  },
  'webhook.created': ({ text }, { environment, event_types }) => [
    nameIn(text.webhooks.environments, environment),
    listIn(event_types).join(', '),
  ],
  'webhook.secret_rotated': ({ text }, { overlap_hours }) => {
    const { overlap, overlaps } = text.webhookActions.rotate;
    const chosen = (overlaps as Record<string, string>)[String(overlap_hours)];
    return [chosen && `${overlap}: ${chosen}`];
  },
  'webhook.tested': deliveryIn,
  'webhook.resent': deliveryIn,
  'webhook.resends_ordered': (request, { created_from, created_before, failed }) => {
    const { failed: t } = request.text.webhookActions;
    const [from, before] = [timeIn(created_from), timeIn(created_before)];
    return [
      from && before && html`${t.days}: ${spanInWords(request, from, before)}`,
      typeof failed === 'number' ? `${request.text.log.toSendAgain}: ${countIn(request, failed)}` : undefined,
    ];
  },
  'webhook.resumed': (request, { paused_at }) => {
    const since = timeIn(paused_at);
    return [since && html`${request.text.log.pausedSince} ${when(request, since)}`];
  },
  'organisation.changed': ({ text }, { changed }) =>
    Array.isArray(changed) ? changed.map((each) => changeInWords(text, each)) : [],
  'verification.completed': outcomeIn,
  'verification.reviewed': outcomeIn,
  'verification.link_renewed': (request, { expires_at }) => {
    const until = timeIn(expires_at);
    return [until && html`${request.text.verifications.fields.linkExpires}: ${when(request, until)}`];
  },
  'verification.erased': kindsIn,
  'verification.exported': kindsIn,
  'evidence.viewed': kindsIn,
  'dossier.made': (_, { format }) => [typeof format === 'string' ? format.toUpperCase() : undefined],
  'relation.ended': ({ text, language }, { ended_on }) => [
    typeof ended_on === 'string' ? `${text.log.lastDay}: ${dayIn(language, ended_on)}` : undefined,
  ],
};

function keyDetails(request: Reader, data: Act['data']): Part[] {
  const { environments, keys } = request.text;
  const { environment, scopes, rate_limit, expires_at } = data;
  return [
    nameIn(environments, environment),
    listIn(scopes).join(', '),
    typeof rate_limit === 'number' ? `${keys.limit}: ${countIn(request, rate_limit)}` : undefined,
    expires_at === undefined
      ? undefined
      : html`${keys.ends}: ${when(request, timeIn(expires_at) ?? null, keys.never)}`,
  ];
}

function deliveryIn({ text }: Reader, { delivery_id }: Act['data']): Part[] {
  if (typeof delivery_id !== 'string') return [];
  return [
    html`${text.webhooks.delivery.title} <a href=${`/deliveries/${delivery_id}`}><code>${delivery_id}</code></a>`,
  ];
}

function outcomeIn({ text }: Reader, { verdict }: Act['data']): Part[] {
  const { outcome } = (verdict ?? {}) as { outcome?: Outcome };
  const { fields, outcomes } = text.verifications;
  return [outcome && `${fields.outcome}: ${nameIn(outcomes, outcome)}`];
}

function kindsIn({ text }: Reader, { kinds }: Act['data']): Part[] {
  const names = listIn(kinds).map((kind) => nameIn(text.reviews.kinds, kind));
  // A name can have a comma.
  return [names.join('; ')];
}

function roleIn({ members }: Texts, value: unknown): string | undefined {
  const role = consoleRoles.find((each) => each === value);
  return role && members.roles[role].name;
}

/** A value that this version does not know stays as it is. */
const nameIn = (names: Readonly<Record<string, string>>, value: unknown): string | undefined =>
  typeof value === 'string' ? (names[value] ?? value) : undefined;

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const countIn = ({ language }: Reader, count: number): string => count.toLocaleString(language);

function timeIn(value: unknown): Date | undefined {
  const at = new Date(typeof value === 'string' ? value : Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
