import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import type { MemberRequest } from '#api/console/request.ts';
import { dayTyped, readDays, spanInWords } from '#api/console/values/days.ts';
import { html } from '#api/pages/markup.ts';
import { dayInZone, hourMs } from '#contract/time.ts';

/** A day that a member types is a day by the clock of the member's zone. */

const at = (day: string, time: string) => new Date(`${day}T${time}:00Z`);

test.each([
  ['UTC', '2026-03-29', at('2026-03-29', '00:00'), 24],
  ['Europe/Amsterdam', '2026-11-23', at('2026-11-22', '23:00'), 24],
  ['Europe/Amsterdam', '2026-07-01', at('2026-06-30', '22:00'), 24],
  // Summer time begins and ends.
  ['Europe/Amsterdam', '2026-03-29', at('2026-03-28', '23:00'), 23],
  ['Europe/Amsterdam', '2026-10-25', at('2026-10-24', '22:00'), 25],
  ['America/New_York', '2026-03-08', at('2026-03-08', '05:00'), 23],
  ['America/New_York', '2026-11-01', at('2026-11-01', '04:00'), 25],
  // It begins at midnight, so no clock shows midnight.
  ['Africa/Cairo', '2026-04-24', at('2026-04-23', '22:00'), 23],
  ['America/Havana', '2026-03-08', at('2026-03-08', '05:00'), 23],
  // It ends at one o'clock, so midnight comes twice.
  ['America/Havana', '2026-11-01', at('2026-11-01', '04:00'), 25],
  // By half an hour, and by a quarter.
  ['Australia/Lord_Howe', '2026-04-05', at('2026-04-04', '13:00'), 24.5],
  ['Asia/Kathmandu', '2026-11-23', at('2026-11-22', '18:15'), 24],
  // The furthest from UTC, and a day that a zone left out.
  ['Pacific/Kiritimati', '2026-11-23', at('2026-11-22', '10:00'), 24],
  ['Pacific/Pago_Pago', '2026-11-23', at('2026-11-23', '11:00'), 24],
  ['Pacific/Apia', '2011-12-30', at('2011-12-30', '10:00'), 0],
  ['Europe/Amsterdam', '9999-12-31', at('9999-12-30', '23:00'), 24],
])('in %s the day %s begins at the right moment, and has its hours', (timeZone, day, begins, hours) => {
  const found = dayTyped(day, timeZone);
  expect(found?.begins).toEqual(begins);
  expect((Number(found?.ends) - Number(found?.begins)) / hourMs).toBe(hours);
});

const everyZone = Intl.supportedValuesOf('timeZone');
const everyMonth = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-27`);

test('in every zone a day is between the moments at which the clock first shows it and the next', () => {
  const wrong: string[] = [];
  for (const timeZone of everyZone)
    for (const day of everyMonth) {
      const { begins, ends } = dayTyped(day, timeZone) as { begins: Date; ends: Date };
      const shown = [begins, begins.getTime() - 1, ends.getTime() - 1, ends].map((ms) =>
        dayInZone(new Date(ms), timeZone),
      );
      const next = day.replace(/27$/, '28');
      if (shown.join() !== [day, day.replace(/27$/, '26'), day, next].join())
        wrong.push(`${timeZone} ${shown}`);
    }
  expect(wrong).toEqual([]);
  expect(everyZone.length).toBeGreaterThan(300);
});

test.each([
  '2026-02-30',
  '2026-13-01',
  '2026-1-1',
  '0202-01-01',
  '20260101',
  'yesterday',
  '2026-01-01T00:00',
  '',
])('"%s" is no day', (typed) => expect(dayTyped(typed, 'Europe/Amsterdam')).toBeUndefined());

const read = (query: string) => readDays(new URLSearchParams(query), 'Europe/Amsterdam', 'no day');

test('a span ends where the day after its last begins; a fault is beside the field that has it', () => {
  expect(read('from=2026-10-24&until= 2026-10-25 ')).toEqual({
    from: at('2026-10-23', '22:00'),
    before: at('2026-10-25', '23:00'),
  });
  expect(read('from=')).toEqual({ from: undefined, before: undefined });
  expect(read('from=2026-02-30')).toEqual({ faults: { from: 'no day' } });
  expect(read('from=2026-02-01&until=x')).toEqual({ faults: { until: 'no day' } });
  expect(read('from=x&until=x')).toEqual({ faults: { from: 'no day', until: 'no day' } });
});

test('a span is said in the days of the reader, or by its times if it was typed in another zone', () => {
  const { from = null, before = null } = read('from=2026-10-24&until=2026-10-25');
  const said = (timeZone: string, until = before) => {
    const request = { language: 'en', member: { timeZone } as MemberRequest['member'] } as const;
    return renderToString(html`<b>${spanInWords(request, from, until)}</b>` as never).replaceAll(
      /<[^>]*>/g,
      '',
    );
  };
  expect(said('Europe/Amsterdam')).toBe('2026-10-24 – 2026-10-25');
  expect(said('Europe/Berlin')).toBe('2026-10-24 – 2026-10-25');
  expect(said('UTC')).toBe('2026-10-23 22:00 UTC – 2026-10-25 23:00 UTC');
  expect(said('Europe/Amsterdam', null)).toBe('–');
});
