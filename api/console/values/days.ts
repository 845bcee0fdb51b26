import { dayInZone, dayMs } from '#contract/time.ts';
import type { Markup, Value } from '../../pages/markup.ts';
import { field, when } from '../parts.ts';
import type { MemberRequest } from '../request.ts';

const dayForm = /^[1-9]\d{3}-\d\d-\d\d$/;

/** `ends` is the beginning of the next day. */
type Day = { begins: Date; ends: Date };

/**
 * The day that a member typed, by the clock of the member's zone. It has 23 or 25 hours if the clock is changed. Undefined: it is no day.
 */
export function dayTyped(typed: string, timeZone: string): Day | undefined {
  const midnight = Date.parse(`${typed}T00:00:00Z`);
  // JavaScript reads 30 February as 2 March.
  const isDay = dayForm.test(typed) && new Date(midnight || 0).toISOString().startsWith(typed);
  if (!isDay) return undefined;
  return { begins: shownFirst(midnight, timeZone), ends: shownFirst(midnight + dayMs, timeZone) };
}

/**
 * The first moment at which the clock of a zone shows this time or a later one. `wanted` is the time as if it were in UTC. Where summer time
 * begins at midnight, no clock shows midnight on that day.
 */
function shownFirst(wanted: number, timeZone: string): Date {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  // Years after 9999 have another form, and are later than what anybody can type.
  const isTooEarly = (ms: number) => Date.parse(`${clock.format(ms).replace(' ', 'T')}Z`) < wanted;
  // No clock is a day away from UTC.
  let [early, late] = [wanted - dayMs, wanted + dayMs];
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (isTooEarly(middle)) early = middle;
    else late = middle;
  }
  return new Date(late);
}

/** The name of a zone as pages show it. */
export const zoneInWords = (timeZone: string): string => timeZone.replaceAll('_', ' ');

/** A field for a day, which says in which zone it is one. */
export function dayField(
  { member, text }: Pick<MemberRequest, 'member' | 'text'>,
  { hint, ...given }: Parameters<typeof field>[0],
): Markup {
  const zone = `${text.account.timeZone}: ${zoneInWords(member.timeZone)}`;
  return field({ ...given, type: 'date', hint: hint === undefined ? zone : `${zone}. ${hint}` });
}

/** A span of days that was typed into the fields `from` and `until`. `before` is the end of the last day. */
export type Days = {
  from?: Date | undefined;
  before?: Date | undefined;
  /** Undefined if both fields are empty or right. */
  faults?: { from?: string; until?: string };
};

/** Reads the two fields, by the clock of the zone. `fault` is what is said of a field that is no day. */
export function readDays(query: URLSearchParams, timeZone: string, fault: string): Days {
  const [first, last] = ['from', 'until'].map((name) => {
    const typed = query.get(name)?.trim() ?? '';
    return typed === '' ? undefined : (dayTyped(typed, timeZone) ?? 'fault');
  });
  if (first === 'fault' || last === 'fault')
    return {
      faults: { ...(first === 'fault' && { from: fault }), ...(last === 'fault' && { until: fault }) },
    };
  return { from: first?.begins, before: last?.ends };
}

/**
 * A span as it was typed: the first day and the last. If it is no span of whole days in the member's zone, because somebody typed it in
 * another one, it is said by its times.
 */
export function spanInWords(
  request: Pick<MemberRequest, 'language' | 'member'>,
  from: Date | null,
  before: Date | null,
): Value {
  if (from === null || before === null) return '–';
  const { timeZone } = request.member;
  const first = dayInZone(from, timeZone);
  const last = dayInZone(new Date(before.getTime() - 1), timeZone);
  const isWhole =
    dayTyped(first, timeZone)?.begins.getTime() === from.getTime() &&
    dayTyped(last, timeZone)?.ends.getTime() === before.getTime();
  return isWhole ? `${first} – ${last}` : [when(request, from), ' – ', when(request, before)];
}
