/**
 * Figures of Dutch law by date. A table says from which day a figure holds and until which day the table is known. After that day nothing
 * is judged by it.
 */

type Minimum = { from: string; cents: number };

/**
 * The statutory minimum wage for an hour from 21 years on (Wet minimumloon en minimumvakantiebijslag, article 8), as the minister sets it
 * twice a year. Each figure was compared with a publication about it.
 */
const minimumHourly: readonly Minimum[] = [
  // Order nr. 2023-0000526966 of 8 October 2023; "Minimumuurloon per 1 januari 2024", Accounting Counts, 12 October 2023.
  { from: '2024-01-01', cents: 1_327 },
  // "Bedragen minimumloon 2024" after rijksoverheid.nl, AdHoc Solide, 6 July 2024; "Wijziging minimumloon", slagers.nl, 27 June 2024.
  { from: '2024-07-01', cents: 1_368 },
  // Order nr. 2024-0000675332 of 9 October 2024; "Bruto bedragen minimumlonen vanaf 1 januari 2025", Sociale Verzekeringsbank.
  { from: '2025-01-01', cents: 1_406 },
  // Order nr. 2025-0000069776, Staatscourant 2025, 12264; "Minimumuurloon per 1 juli 2025 naar € 14,40", AdminTrend, 10 April 2025.
  { from: '2025-07-01', cents: 1_440 },
  // "Minimumuurloon naar € 14,71", Parsec, 9 October 2025; "Minimumloon 2026", MKB Servicedesk.
  { from: '2026-01-01', cents: 1_471 },
  // The reference wage of € 2,337.00 a month; "Minimumloon vanaf 1 juli 2026", several tables of 2026. The Staatscourant was not at hand.
  { from: '2026-07-01', cents: 1_499 },
];
/** The last day for which the figures above hold. To be moved on with each new figure. */
export const minimumKnownUntil = '2026-12-31';

/** The share of the minimum by age, in tenths of a percent (Besluit minimumjeugdloonregeling; the publications above have them). */
const shareByAge: readonly (readonly [number, number])[] = [
  [21, 1_000],
  [20, 800],
  [19, 600],
  [18, 500],
  [17, 395],
  [16, 345],
  [15, 300],
];
/** Pupils who learn at work (beroepsbegeleidende leerweg) have lower shares at these ages. A slip does not always say so. */
const pupilShareByAge: readonly (readonly [number, number])[] = [
  [21, 1_000],
  [20, 615],
  [19, 525],
  [18, 455],
  [17, 395],
  [16, 345],
  [15, 300],
];

/** The minimum for an hour in cents on a day, for an age in years: the usual one, and that of pupils. Undefined if it is not known here. */
export function minimumFor(day: string, age: number): { usual: number; pupil: number } | undefined {
  if (day > minimumKnownUntil) return undefined;
  const full = minimumHourly.findLast(({ from }) => from <= day);
  const shareOf = (shares: typeof shareByAge) => shares.find(([least]) => age >= least)?.[1];
  const [usual, pupil] = [shareOf(shareByAge), shareOf(pupilShareByAge)];
  if (full === undefined || usual === undefined || pupil === undefined) return undefined;
  const of = (share: number) => Math.round((full.cents * share) / 1_000);
  return { usual: of(usual), pupil: of(pupil) };
}

/** Holiday pay is at least this share of the wage (the same law, article 15), in percent. */
export const holidayPercent = 8;

/** A paper may be this old, in days: three months. */
export const paperAgeDaysMax = 92;
