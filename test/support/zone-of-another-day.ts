import { dayInUtc, dayInZone } from '#contract/time.ts';

/** A zone in which it is another day than in UTC for the next hours, and that day. */
export function zoneOfAnotherDay(): { timeZone: string; today: string; todayInUtc: string } {
  const now = new Date();
  // There it is 14 hours later than in UTC, and here 11 hours earlier.
  const timeZone = now.getUTCHours() < 10 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
  return { timeZone, today: dayInZone(now, timeZone), todayInUtc: dayInUtc(now) };
}
