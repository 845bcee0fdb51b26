import { type Environment, environments, type Grant, grants } from '#contract/enums.ts';
import { hourMs } from '#contract/time.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { boxes, choice, field, form } from '../parts.ts';
import type { MemberRequest, View } from '../request.ts';
import { dayField, dayTyped } from '../values/days.ts';

type Faults = Partial<Record<'name' | 'environment' | 'scopes' | 'limit' | 'expires', string>>;

export type WantedKey = {
  environment: Environment;
  name: string;
  grants: Grant[];
  rateLimit: number | undefined;
  /** Undefined: the usual end of its environment. Null: none. */
  expiresAt: Date | null | undefined;
};

const nameLengthMax = 200;
const limitMax = 1_000_000;

/** Shows what was typed before, with each fault beside its field. */
export function keyForm(request: MemberRequest, faults: Faults = {}): View {
  const { text, form: sent } = request;
  const isFaulty = Object.keys(faults).length > 0;
  const ticked = isFaulty ? sent.getAll('scopes') : grants;
  const { keys } = text;
  return {
    title: keys.make,
    isFaulty,
    status: isFaulty ? 422 : 200,
    body: form(
      request,
      '/keys/new',
      html`
        ${field({ name: 'name', label: keys.name, hint: keys.nameHint, fault: faults.name, value: sent.get('name'), maxlength: nameLengthMax, required: true })}
        ${choice({ name: 'environment', label: keys.environment, fault: faults.environment, value: sent.get('environment') ?? 'sandbox', options: environments.map((value) => ({ value, name: text.environments[value] })) })}
        ${boxes({ name: 'scopes', label: keys.scopes, fault: faults.scopes, ticked, options: grants.map((value) => ({ value, name: keys.grants[value] })) })}
        ${field({ name: 'limit', label: keys.limit, hint: keys.limitHint, fault: faults.limit, value: sent.get('limit'), inputmode: 'numeric', maxlength: 7 })}
        ${dayField(request, { name: 'expires', label: keys.expires, hint: keys.expiresHint, fault: faults.expires, value: sent.get('expires') })}
        ${boxes({ name: 'never', label: keys.ends, ticked: sent.getAll('never'), options: [{ value: 'yes', name: keys.never }] })}
        <button>${keys.make}</button>
        <p><a href="/keys">${text.back}</a></p>
      `,
    ),
  };
}

export function readKeyForm({
  form: sent,
  text,
  ctx,
  member,
}: MemberRequest): WantedKey | { faults: Faults } {
  const { faults: said } = text.keys;
  const name = (sent.get('name') ?? '').trim();
  const environment = environments.find((each) => each === sent.get('environment'));
  const ticked = grants.filter((grant) => sent.getAll('scopes').includes(grant));
  const rateLimit = limitOf(sent.get('limit') ?? '');
  const expiresAt = endIn(sent, member.timeZone, ctx.clock.now());
  const faults: Faults = {
    ...((name === '' || name.length > nameLengthMax) && { name: said.name }),
    ...(environment === undefined && { environment: said.environment }),
    ...(ticked.length === 0 && { scopes: said.scopes }),
    ...(rateLimit === 'fault' && { limit: said.limit }),
    ...(expiresAt === 'fault' && { expires: said.expires }),
  };
  if (
    environment === undefined ||
    rateLimit === 'fault' ||
    expiresAt === 'fault' ||
    Object.keys(faults).length > 0
  )
    return { faults };
  return { environment, name, grants: ticked, rateLimit, expiresAt };
}

function limitOf(typed: string): number | undefined | 'fault' {
  if (typed.trim() === '') return undefined;
  const limit = /^\d{1,7}$/.test(typed.trim()) ? Number(typed) : 0;
  return limit >= 1 && limit <= limitMax ? limit : 'fault';
}

/** The end of a day in the zone. Null: the box says that there is no end, and no day does. */
function endIn(sent: URLSearchParams, timeZone: string, now: Date): Date | null | undefined | 'fault' {
  const typed = sent.get('expires') ?? '';
  if (sent.get('never') === 'yes') return typed === '' ? null : 'fault';
  if (typed === '') return undefined;
  const ends = dayTyped(typed, timeZone)?.ends;
  return ends !== undefined && ends > now ? ends : 'fault';
}

const overlaps = ['0', '1', '24', '168', '720'] as const;

export const overlapField = ({ text }: MemberRequest, fault?: string): Markup =>
  choice({
    name: 'overlap',
    label: text.keys.overlap,
    fault,
    value: '24',
    options: overlaps.map((value) => ({ value, name: text.keys.overlaps[value] })),
  });

/** Milliseconds. Undefined if the value is not one of the list. */
export function overlapOf({ form: sent }: MemberRequest): number | undefined {
  const hours = overlaps.find((each) => each === sent.get('overlap'));
  return hours === undefined ? undefined : Number(hours) * hourMs;
}
