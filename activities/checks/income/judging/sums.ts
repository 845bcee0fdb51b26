import { type Line, linesOf, type Sum, score, sumsOf } from './equations.ts';
import {
  at,
  doubt,
  type Finding,
  failed,
  notApplicable,
  passed,
  type ReadPaper,
  sign,
  together,
} from './finding.ts';
import { euros } from './values/amounts.ts';
import { follows, type Reading } from './values/reading.ts';
import type { Figure } from './values/table.ts';

/** The amounts of a slip, as they add up best. */
export type Settled = {
  gross: Figure | undefined;
  net: Figure | undefined;
  grossSum: Sum | undefined;
  netSum: Sum | undefined;
  /** Lines of the gross amount, and those that have no place in the sums. */
  earned: readonly Line[];
  open: readonly Line[];
};

export const unsettled: Settled = {
  ...{ gross: undefined, net: undefined, grossSum: undefined, netSum: undefined, earned: [], open: [] },
};

/** A slip can name several amounts `bruto` or `netto`. Those count for which most sums hold, else the first ones. */
export function settledOf(reading: Reading): Settled {
  const terms = [reading.hourly, reading.minimum, reading.hoursPerWeek].map((each) => each?.cell);
  const lines = linesOf(reading.entries).filter(({ figure }) => !terms.includes(figure.cell));
  const [gross] = reading.gross.period;
  const apart = lines.filter(({ entry }) => !entry.amongTotals);
  const choices = [apart, ...(apart.length < lines.length ? [lines] : [])].flatMap((some) =>
    reading.net.period.flatMap((net) =>
      orNone(reading.gross.period).map((each) => ({ net, gross: each, sums: sumsOf(some, each, net) })),
    ),
  );
  const [first, ...others] = choices;
  if (first === undefined) return { ...unsettled, gross };
  const best = others.reduce((one, other) => (score(other.sums) > score(one.sums) ? other : one), first);
  return {
    ...{ gross: best.gross, net: best.net, grossSum: best.sums.gross, netSum: best.sums.net },
    ...{ earned: best.sums.lines, open: best.sums.open },
  };
}

const orNone = (figures: readonly Figure[]): (Figure | undefined)[] =>
  figures.length > 0 ? [...figures] : [undefined];

/** One cent may come of rounding. */
const roundingCents = 1;

/** Whether the amounts of one slip add up. It fails only if no other way to add up was left open. */
export function slipArithmetic(reading: Reading, settled: Settled): Finding {
  const { gross, net } = settled;
  if (net === undefined || (gross === undefined && settled.netSum?.holds !== true))
    return doubt(sign(net === undefined ? 'net_not_found' : 'gross_not_found'));
  return together([
    settled.netSum === undefined
      ? notApplicable
      : sumFinding('net_sum', net, settled.netSum, settled.grossSum),
    gross === undefined || settled.grossSum === undefined
      ? notApplicable
      : sumFinding('gross_sum', gross, settled.grossSum, settled.netSum),
    leftOut(settled),
    ...products(reading),
    salaryByHour(reading, settled),
    ...(gross && net.cents > gross.cents * netShareMax ? [doubt(sign('net_above_gross', at(net.cell)))] : []),
  ]);
}

/** With expenses and holiday pay from a reserve, the net amount can be above the gross amount. */
const netShareMax = 1.6;

function sumFinding(
  name: 'gross_sum' | 'net_sum',
  { cell, cents }: Figure,
  sum: Sum,
  other: Sum | undefined,
): Finding {
  if (sum.holds) return passed;
  const where = sign(name, { ...at(cell), found: euros(cents), expected: euros(cents + sum.off) });
  const isCertain = sum.sure && other?.holds === true && Math.abs(sum.off) > roundingCents;
  return isCertain ? failed(where) : doubt(where);
}

/** Hours times their rate. Supplements multiply the rate. */
function products({ entries }: Reading): Finding[] {
  return entries.flatMap(({ figures, label }) => {
    const factors = figures.filter(
      ({ column, heading }) => column === 'factor' && !/%|percent/.test(heading),
    );
    const [hours, rate] = factors;
    const product = figures.find(({ column }) => column === 'period');
    if (!hours || !rate || !product || factors.length !== 2 || hours.cents === 0 || rate.cents === 0)
      return [];
    const exact = (hours.cents * rate.cents) / 100;
    const tolerance = Math.abs(hours.cents) / 200 + 1;
    const multiples = [1, 1.25, 1.3, 1.35, 1.4, 1.5, 1.75, 2, 0.25, 0.5, 0.7, 0.75, 0.9, 0.08];
    const isProduct = multiples.some(
      (each) => Math.abs(Math.abs(product.cents) - Math.abs(exact) * each) <= tolerance,
    );
    const isNear = Math.abs(Math.abs(product.cents) / exact - 1) < 0.6;
    return isProduct || !isNear || /%/.test(label.text)
      ? []
      : [
          doubt(
            sign('hours_times_rate', {
              ...at(product.cell),
              found: euros(product.cents),
              expected: euros(Math.round(exact)),
            }),
          ),
        ];
  });
}

/** Sums that hold without some line say nothing of that line. */
function leftOut({ grossSum, netSum, open }: Settled): Finding {
  const [line] = open;
  const holds = netSum?.holds === true && grossSum?.holds !== false;
  if (line === undefined || !holds) return notApplicable;
  return doubt(sign('line_left_out', { ...at(line.entry.label), found: euros(line.figure.cents) }));
}

const salary = /^(?:\d+ )?(?:(?:basis|basic|maand|periode) ?)?(?:salaris|salary|loon)$/;
/** Hours of a month are rounded in many ways. */
const salaryShare = 0.02;

/** A salary whose line has hours, against the agreed wage for an hour. */
function salaryByHour({ hourly }: Reading, { earned }: Settled): Finding {
  const line = earned.find(({ entry }) => entry.parts.some((part) => salary.test(part)));
  const hours = line?.entry.figures[0];
  if (hourly === null || line === undefined || hours === undefined || hours === line.figure)
    return notApplicable;
  if (hours.cents <= 0 || hours.column === 'year' || hours.cell.box[0] > line.figure.cell.box[0])
    return notApplicable;
  const expected = Math.round((hours.cents * hourly.value) / 100);
  if (Math.abs(expected - line.figure.cents) <= salaryShare * Math.abs(line.figure.cents))
    return notApplicable;
  return doubt(
    sign('hours_times_rate', {
      ...at(line.figure.cell),
      found: euros(line.figure.cents),
      expected: euros(expected),
    }),
  );
}

type Slip = { paper: ReadPaper; settled: Settled };

/** Amounts of the year so far grow by those of the next slip. */
export function followingSlips(slips: readonly Slip[]): { id: string; finding: Finding }[] {
  return slips.flatMap((after) => {
    const end = after.paper.reading.period?.value;
    const before = slips.find(
      ({ paper: { reading } }) => end && reading.period && follows(reading.period.value, end),
    );
    if (before === undefined) return [];
    const pairs = (['gross', 'net'] as const).flatMap((name) => {
      const [was, is, own] = [
        before.paper.reading[name].year[0],
        after.paper.reading[name].year[0],
        after.settled[name],
      ];
      if (!was || !is || !own) return [];
      const off = is.cents - was.cents - own.cents;
      return [
        {
          off,
          signal: sign('year_so_far', {
            ...at(is.cell),
            found: euros(is.cents),
            expected: euros(is.cents - off),
          }),
        },
      ];
    });
    const wrong = pairs.filter(({ off }) => Math.abs(off) > roundingCents);
    if (pairs.length === 0) return [];
    const signals = wrong.map(({ signal }) => signal);
    const finding = wrong.length === 0 ? passed : wrong.length > 1 ? failed(...signals) : doubt(...signals);
    return [{ id: after.paper.id, finding }];
  });
}
