import { parseArgs } from 'node:util';
import type { Check } from '#contract/workflows.ts';
import { documentReader } from '../examiners/document-reader.ts';
import { drawn, type Specimen } from './card.ts';
import { type Person, people } from './people.ts';
import { photograph } from './photograph.ts';
import { type VariantName, variantNames, variants } from './variants.ts';
import { type Format, tampered, zoneOf } from './zone.ts';

/**
 * Measures how the reader judges specimens, and prints the table of docs/choices/checks.md:
 * node test/support/specimens/measure.ts --people 4
 */

const today = new Date('2026-11-21T12:00:00Z');
const formats: Format[] = ['TD3', 'TD1', 'TD2'];
const judged = ['document_expiry', 'mrz_check_digits', 'data_consistency'] as const;

type Judged = (typeof judged)[number];
type Truth = Record<Judged, 'passed' | 'failed'>;
type Case = { name: string; truth: Truth; of(person: Person, format: Format, other: Person): Specimen };

const good: Truth = { document_expiry: 'passed', mrz_check_digits: 'passed', data_consistency: 'passed' };
const cases: Case[] = [
  { name: 'as it should be', truth: good, of: (person, format) => ({ person, format }) },
  {
    name: 'expired',
    truth: { ...good, document_expiry: 'failed' },
    of: (person, format) => ({ person: { ...person, expiry: '2026-11-20' }, format }),
  },
  {
    name: 'a wrong digit',
    truth: { ...good, mrz_check_digits: 'failed', data_consistency: 'failed' },
    of: (person, format) => ({ person, format, zone: withWrongDigit(person, format) }),
  },
  {
    name: "another's print",
    truth: { ...good, data_consistency: 'failed' },
    of: (person, format, other) => ({ person: other, format, zone: zoneOf(person, format) }),
  },
];

/** Changes the first digit of the date of birth without a change of any check digit. */
function withWrongDigit(person: Person, format: Format): string[] {
  const zone = zoneOf(person, format);
  const [line, column] = format === 'TD1' ? [1, 0] : [1, 13];
  return tampered(zone, line, column, zone[line]?.[column] === '4' ? '7' : '4');
}

/** The photographs for documents with a fault. The reader should find the fault if it can read the document. */
const easyAndNot: VariantName[] = ['turned by 5 degrees', 'on its other side'];

const { values } = parseArgs({ options: { people: { type: 'string', default: '4' } } });
const persons = people.slice(0, Number(values.people));
const reader = await documentReader();
const tookMs: number[] = [];

async function checksOf(specimen: Specimen, variant: VariantName): Promise<Check[]> {
  const { front, back } = drawn(specimen);
  const pictures = {
    front: await photograph(front, variants[variant]),
    back: back && (await photograph(back, variants[variant])),
  };
  const startedMs = performance.now();
  const { checks } = await reader.check(pictures, today);
  tookMs.push(performance.now() - startedMs);
  return checks;
}

/** Right: the reader said what is true. Wrong: it said the opposite. Doubt: it said neither. */
type Tally = { right: number; doubt: number; wrong: number };

function count(tally: Tally, said: Check['result'] | undefined, truth: 'passed' | 'failed'): void {
  if (said === 'doubt') tally.doubt++;
  else if (said === truth) tally.right++;
  else tally.wrong++;
}

async function row({ truth, of }: Case, variant: VariantName): Promise<string[]> {
  const tallies = judged.map((): Tally => ({ right: 0, doubt: 0, wrong: 0 }));
  for (const format of formats)
    for (const [index, person] of persons.entries()) {
      const other = people[(index + 1) % people.length] ?? person;
      const checks = await checksOf(of(person, format, other), variant);
      judged.forEach((kind, place) => {
        const said = checks.find((check) => check.kind === kind)?.result;
        count(tallies[place] as Tally, said, truth[kind]);
      });
    }
  return tallies.map(({ right, doubt, wrong }) => `${right} / ${doubt} / ${wrong}`);
}

console.log('| Document | Photograph | expiry | check digits | consistency |');
console.log('|---|---|---|---|---|');
for (const one of cases)
  for (const variant of one === cases[0] ? variantNames : easyAndNot)
    console.log(`| ${[one.name, variant, ...(await row(one, variant))].join(' | ')} |`);
const sorted = tookMs.toSorted((a, b) => a - b);
const [half, most] = [0.5, 0.95].map((share) =>
  ((sorted[Math.floor(sorted.length * share)] ?? 0) / 1000).toFixed(1),
);
console.log(`${sorted.length} documents, half of them within ${half} s, 95 % within ${most} s`);
await reader.close();
