import { type Entry, type Figure, periodFigure } from './values/table.ts';
import { labels } from './values/terms.ts';

/** Whether a sum holds. `off` is the difference in cents, and `sure` that each line of the slip has its place in the sums. */
export type Sum = { holds: boolean; off: number; sure: boolean };

export type Line = { entry: Entry; figure: Figure };

/** One way to read a slip: lines of the gross amount, lines between it and the net amount, and those without a place. */
type Plan = { gross: Line[]; net: Line[]; open: Line[] };
export type Sums = {
  gross: Sum | undefined;
  net: Sum;
  /** Lines of the gross amount. */
  lines: readonly Line[];
  open: readonly Line[];
};

export const linesOf = (entries: readonly Entry[]): Line[] => {
  const figureOf = periodFigure(entries);
  return entries.flatMap((entry) => {
    const figure = figureOf(entry);
    const isLine = entry.kind !== 'total' && entry.kind !== 'aside' && !isTerm(entry);
    return figure === undefined || !isLine ? [] : [{ entry, figure }];
  });
};

/** The agreed wage for an hour, and the hours. With more figures, such a label begins a line of its own. */
const isTerm = ({ parts, figures }: Entry) =>
  figures.length === 1 && [labels.hourly, labels.hours].some((rule) => parts.some((part) => rule.test(part)));

/** The sums of the way to read the slip in which most of them hold. */
export function sumsOf(lines: readonly Line[], gross: Figure | undefined, net: Figure): Sums {
  const plans = [byKind(lines), ...(gross ? [byPlace(lines, gross, net), byColumn(lines, gross, net)] : [])];
  const all = plans.flatMap(placed).map((plan) => summed(plan, gross, net));
  const [first = summed(byKind(lines), gross, net), ...others] = all;
  return others.reduce((best, each) => (score(each) > score(best) ? each : best), first);
}

/** The way in which more sums hold is meant. If as many hold in two ways, it is the one with fewer lines without a place. */
export const score = ({ gross, net, open }: Sums): number =>
  1_000 * (Number(gross?.holds ?? false) + Number(net.holds)) - Math.min(open.length, 900);

function summed({ gross: lines, net: others, open }: Plan, gross: Figure | undefined, net: Figure): Sums {
  const earned = total(lines, asPrinted);
  const between = total(others, counting(others));
  const sure = open.length === 0 && lines.length > 0;
  const throughLines = earned + between - net.cents;
  if (gross === undefined)
    return { gross: undefined, net: { holds: throughLines === 0, off: throughLines, sure }, lines, open };
  const [offGross, offNet] = [earned - gross.cents, gross.cents + between - net.cents];
  return {
    gross: { holds: offGross === 0 && lines.length > 0, off: offGross, sure },
    // If the lines give the net amount, only the gross amount between them can be wrong.
    net: { holds: offNet === 0 || (throughLines === 0 && lines.length > 0), off: offNet, sure },
    ...{ lines, open },
  };
}

/** By the words of the lines and of their sections. */
const byKind = (lines: readonly Line[]): Plan => ({
  gross: lines.filter(({ entry }) => entry.kind === 'earning'),
  net: lines.filter(({ entry }) => entry.kind === 'deduction' || entry.kind === 'addition'),
  open: lines.filter(({ entry }) => entry.kind === 'unknown'),
});

/** By rows: what stands above the gross amount is part of it, and what follows leads to the net amount. */
const byPlace = (lines: readonly Line[], gross: Figure, net: Figure): Plan =>
  planned(lines, ({ figure }) => {
    if (isBefore(figure, gross)) return isAligned(figure, gross) ? 'gross' : 'open';
    return isBefore(figure, net) && (isAligned(figure, gross) || isAligned(figure, net)) ? 'net' : 'open';
  });

/** By columns, where the gross amounts have one and the net amounts another. */
const byColumn = (lines: readonly Line[], gross: Figure, net: Figure): Plan =>
  planned(lines, ({ figure, entry }) => {
    if (isAligned(figure, gross) && entry.kind !== 'addition') return 'gross';
    return isAligned(figure, net) || entry.kind === 'addition' ? 'net' : 'open';
  });

function planned(lines: readonly Line[], place: (line: Line) => keyof Plan): Plan {
  const groups = Map.groupBy(lines, place);
  return {
    ...{ gross: groups.get('gross') ?? [], net: groups.get('net') ?? [], open: groups.get('open') ?? [] },
  };
}

/** With more lines of unknown kind, some sum would hold by chance. */
const unknownMax = 3;

/** The plan, and those in which each line of unknown kind is added to a sum. A line that is left out stays open. */
function placed(plan: Plan): Plan[] {
  if (plan.open.length === 0 || plan.open.length > unknownMax) return [plan];
  return plan.open.reduce<Plan[]>(
    (plans, line) =>
      plans.flatMap((each) => [
        { ...each, open: [...each.open, line] },
        { ...each, gross: [...each.gross, line] },
        { ...each, net: [...each.net, as(line, 'addition')] },
        ...(line.figure.signed ? [] : [{ ...each, net: [...each.net, as(line, 'deduction')] }]),
      ]),
    [{ ...plan, open: [] }],
  );
}

const as = ({ entry, figure }: Line, kind: Entry['kind']): Line => ({ entry: { ...entry, kind }, figure });

type Sign = (line: Line) => number;
const total = (lines: readonly Line[], sign: Sign) => lines.reduce((sum, line) => sum + sign(line), 0);
const asPrinted: Sign = ({ figure: { column, cents } }) => (column === 'minus' ? -Math.abs(cents) : cents);

/** A deduction without a sign is taken off. Where deductions have none, one with a sign is given back. */
function counting(lines: readonly Line[]): Sign {
  const isTaken = ({ entry, figure }: Line) => entry.kind === 'deduction' || figure.column === 'minus';
  const isBare = lines.filter(isTaken).some(({ figure }) => !figure.signed && figure.cents !== 0);
  return (line) => (isTaken(line) && isBare ? -line.figure.cents : line.figure.cents);
}

const alignedMax = 4;
const isAligned = ({ cell: one }: Figure, { cell: other }: Figure) =>
  one.page === other.page && Math.abs(one.box[2] - other.box[2]) <= alignedMax;
const isBefore = ({ cell: one }: Figure, { cell: other }: Figure) => one.row < other.row;
