import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  cleanCases,
  madeSlips,
  periodsUntil,
  profiles,
} from '#test/support/specimens/income/papers/clean.ts';
import { yearOf } from '#test/support/specimens/income/papers/payroll.ts';
import { PdfFile } from '#test/support/specimens/income/papers/pdf-file.ts';
import { employees, employers } from '#test/support/specimens/income/papers/people.ts';
import { plantedCases, plantedGroups } from '#test/support/specimens/income/papers/planted.ts';
import { found, has } from '#test/support/specimens/income/papers/sheet.ts';
import { layoutNames, slipSheet } from '#test/support/specimens/income/papers/slips.ts';
import { type Case, checkKinds } from '#test/support/specimens/income/papers/truth.ts';
import { boxOf, written } from '#test/support/specimens/income/papers/write.ts';

/** Reads a printed amount again, without the code that wrote it. */
function centsIn(text: string): number {
  const negative = /-\/-|^-|-$|^\(/.test(text.trim());
  const digits = text.replace(/\D/g, '');
  return negative ? -Number(digits) : Number(digits);
}

const slips = profiles.flatMap((profile, index) =>
  layoutNames.flatMap((layout) => madeSlips(profile, layout, index, 3)),
);

test('the printed lines of each slip give its gross and net, to the cent', () => {
  expect(slips.length).toBeGreaterThan(250);
  for (const { name, slip, sheet, layout } of slips) {
    const printed = (id: string) => centsIn(found(sheet, id).item.text);
    const sums = { gross: 0, net: 0 };
    for (const { key, part } of slip.lines) {
      // This layout has a column for what is taken, without signs.
      const isTaken =
        layout === 'twoColumns' && (part === 'withheld' || ['ownCar', 'association'].includes(key));
      const cents = printed(`line:${key}`) * (isTaken ? -1 : 1);
      if (part === 'gross') sums.gross += cents;
      if (part !== 'taxable') sums.net += cents;
    }
    expect(sums, name).toEqual({ gross: printed('gross'), net: printed('net') });
  }
});

test('no text of a slip lies on another', () => {
  for (const { name, sheet } of slips) {
    const texts = sheet.pages.flatMap((items) => items.filter((item) => item.kind === 'text'));
    const placed = texts.map((item) => ({ text: item.text, ...boxOf(sheet, item) }));
    const touching = placed.flatMap((a, at) =>
      placed
        .slice(at + 1)
        .filter(
          (b) => a.x < b.x + b.wide && b.x < a.x + a.wide && a.y + 1 < b.y + b.high && b.y + 1 < a.y + a.high,
        )
        .map((b) => `${a.text} and ${b.text}`),
    );
    expect(touching, name).toEqual([]);
  }
});

test('the sums of the year are those of all its slips', () => {
  for (const profile of profiles) {
    const all = madeSlips(profile, 'dense', 3, 12, 12);
    let [gross, net] = [0, 0];
    for (const { name, sheet } of all) {
      gross += centsIn(found(sheet, 'gross').item.text);
      net += centsIn(found(sheet, 'net').item.text);
      expect(centsIn(found(sheet, 'grossYear').item.text), name).toBe(gross);
      expect(centsIn(found(sheet, 'netYear').item.text), name).toBe(net);
    }
  }
});

test('holiday pay is eight percent, and no wage is below the minimum', () => {
  for (const { name, slip } of slips) {
    const base = slip.lines.filter(
      ({ key, part }) => part === 'gross' && !['holiday', 'bonus', 'thirteenth'].includes(key),
    );
    const due = Math.round(base.reduce((sum, { cents }) => sum + cents, 0) * 0.08);
    const got = slip.reserve?.added ?? slip.lines.find(({ key }) => key === 'holiday')?.cents;
    expect(got, name).toBe(due);
    expect(slip.employment.hourlyCents, name).toBeGreaterThanOrEqual(slip.minimumHourlyCents ?? 0);
  }
});

test('a year of thirteen periods has 364 days', () => {
  const [first, ...rest] = periodsUntil('columnsWide', 13);
  expect(first?.start).toBe('2025-12-29');
  expect(rest.at(-1)?.end).toBe('2026-12-27');
});

test('numbers of persons and employers hold their tests, and belong to nobody', () => {
  const eleven = (digits: string) =>
    [...digits].reduce((sum, digit, at) => sum + Number(digit) * (at === 8 ? -1 : 9 - at), 0) % 11;
  for (const { bsn, iban } of employees) {
    expect([eleven(bsn), bsn.slice(0, 4)]).toEqual([0, '9999']);
    let remainder = 0;
    for (const character of `${iban.slice(4)}${iban.slice(0, 4)}`)
      remainder = Number(`${remainder}${Number.parseInt(character, 36)}`) % 97;
    expect(remainder, iban).toBe(1);
    expect(iban).toMatch(/^NL\d\d(FICT|NEPB|ZZZB)\d{10}$/);
  }
  for (const { wageTaxNumber, kvk } of employers) {
    expect(wageTaxNumber).toMatch(/^\d{9}L\d\d$/);
    expect(eleven(wageTaxNumber.slice(0, 9))).toBe(0);
    expect(kvk).toMatch(/^\d{8}$/);
  }
});

test('somebody who leaves gets a share of the month and the rest of the holiday pay', () => {
  const { slip } = madeSlips('leaves in mid month', 'dense', 1, 1)[0] ?? {};
  const salary = slip?.lines.find(({ key }) => key === 'salary');
  expect(salary?.cents).toBe(Math.round(((slip?.employment.salaryCents ?? 0) * 17) / 31));
  expect(slip?.reserve?.after).toBe(0);
  expect(slip && yearOf(slip.employment, periodsUntil('dense', 12)).length).toBe(5);
});

const folder = mkdtempSync(join(tmpdir(), 'income-papers-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes all papers when a test first needs them. It takes seconds of processor time, and longer on a busy machine. */
let made: Promise<{ clean: Case[]; planted: Case[] }> | undefined;
const papers = () => {
  made ??= Promise.all([cleanCases(), plantedCases()]).then(([clean, planted]) => ({ clean, planted }));
  return made;
};
const patience = { timeout: 120_000 };

const digestOf = (cases: Case[]) => {
  const hash = createHash('sha256');
  for (const { papers } of cases) for (const { bytes } of papers) hash.update(bytes);
  return hash.digest('hex');
};

test('the same seed gives the same bytes', patience, async () => {
  const { clean, planted } = await papers();
  expect(digestOf(await cleanCases())).toBe(digestOf(clean));
  const again = await Promise.all([
    plantedGroups.signatures(),
    plantedGroups.overlays(),
    plantedGroups.hiddenTexts(),
  ]);
  const names = new Set(again.flat().map(({ name }) => name));
  expect(digestOf(again.flat())).toBe(
    digestOf(
      again
        .flat()
        .map(({ name }) => planted.find((each) => each.name === name))
        .filter((each) => each !== undefined),
    ),
  );
  expect(names.size).toBe(again.flat().length);
});

test('each case names its faults by checks that exist, and each fault is in a paper', patience, async () => {
  const { planted } = await papers();
  expect(planted.length).toBeGreaterThan(250);
  const kinds = new Set<string>(checkKinds);
  for (const { name, papers: files, planted: faults } of planted) {
    expect(faults.length, name).toBe(1);
    for (const { kind, paper, by, weight } of faults) {
      expect(by.every((each) => kinds.has(each)) && by.length > 0, kind).toBe(true);
      expect(files[paper], name).toBeDefined();
      expect(kind.startsWith('harmless: '), kind).toBe(weight === 'nothing');
    }
  }
  expect(new Set(planted.map(({ name }) => name)).size).toBe(planted.length);
});

test(
  'a revision of an amount keeps the true page before it, and a rewritten file does not',
  patience,
  async () => {
    const { planted } = await papers();
    const revised = planted.filter(({ name }) => name.startsWith('net amount edited, added as a revision:'));
    expect(revised).toHaveLength(4);
    for (const { papers } of revised) {
      const text = papers[0]?.bytes.toString('latin1') ?? '';
      expect(text.match(/%%EOF/g)).toHaveLength(2);
      const pdf = new PdfFile(papers[0]?.bytes ?? Buffer.alloc(0));
      const before = new PdfFile(Buffer.from(text.slice(0, text.indexOf('%%EOF') + 6), 'latin1'));
      expect(pdf.stream(pdf.contentOf(0)).equals(before.stream(before.contentOf(0)))).toBe(false);
    }
    for (const { name, papers } of planted.filter((each) => each.name.includes('rewritten')))
      expect(papers[0]?.bytes.toString('latin1').match(/%%EOF/g), name).toHaveLength(1);
  },
);

const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined;

test.skipIf(!isThere('qpdf'))('qpdf opens each paper without a complaint', patience, async () => {
  const { clean, planted } = await papers();
  const names = [...clean, ...planted.filter((_, index) => index % 3 === 0)].flatMap(
    ({ name, papers }, index) =>
      papers.map(({ bytes }, paper) => {
        const file = join(folder, `${index}-${paper}.pdf`);
        writeFileSync(file, bytes);
        return [name, file] as const;
      }),
  );
  for (const [name, file] of names)
    expect(spawnSync('qpdf', ['--check', file], { encoding: 'utf8' }).status, name).toBe(0);
});

test.skipIf(!isThere('pdftotext'))('pdftotext reads the amounts that the truth has', patience, async () => {
  for (const { name, sheet, origin, slip, layout } of slips.filter((_, index) => index % 9 === 0)) {
    const file = join(folder, 'one.pdf');
    writeFileSync(file, await written(sheet, origin));
    const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
    for (const id of ['gross', 'net', 'employer', 'name'])
      expect(text, name).toContain(found(sheet, id).item.text);
    expect(has(slipSheet(slip, layout), 'net')).toBe(true);
  }
});
