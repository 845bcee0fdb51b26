import { dayInUtc, dayMs, startOfDay } from '#contract/time.ts';

const dayForm = /^\d{4}-\d\d-\d\d$/;

/** A span of days (UTC) that was typed into the fields `from` and `until`. `before` is the end of the last day. */
export type Days = {
  from?: Date | undefined;
  before?: Date | undefined;
  /** Undefined if both fields are empty or right. */
  faults?: { from?: string; until?: string };
};

/** Reads the two fields. `fault` is what is said of a field that is no day. */
export function readDays(query: URLSearchParams, fault: string): Days {
  const [from, until] = [dayOf(query.get('from')), dayOf(query.get('until'))];
  if (from === 'fault' || until === 'fault')
    return {
      faults: { ...(from === 'fault' && { from: fault }), ...(until === 'fault' && { until: fault }) },
    };
  return { from, before: until && new Date(until.getTime() + dayMs) };
}

function dayOf(typed: string | null): Date | undefined | 'fault' {
  const text = typed?.trim() ?? '';
  if (text === '') return undefined;
  const at = dayForm.test(text) ? startOfDay(text) : new Date(Number.NaN);
  return Number.isNaN(at.getTime()) ? 'fault' : at;
}

/** A span of days as it was typed: the first and the last. */
export const spanInWords = (from: Date | null, before: Date | null): string =>
  from === null || before === null ? '–' : `${dayInUtc(from)} – ${dayInUtc(new Date(before.getTime() - 1))}`;
