import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { sign } from '#activities/checks/income/judging/finding.ts';
import { judge } from '#activities/checks/income/judging/judge.ts';
import { readPaper } from '#activities/checks/income/reading/read.ts';
import { IncomePaper } from '#contract/income/papers.ts';
import { annotatedLater, changedLater, fileWith } from '#test/support/specimens/income/small/changes.ts';
import { layouts, paperOf, slipOf, usual } from '#test/support/specimens/income/small/paper.ts';

const context = {
  today: '2026-06-10',
  wanted: null,
  linkedName: 'Jan van der Berg',
  known: [],
  signedTypes: [],
};

async function judged(files: Buffer[], changes: Partial<Parameters<typeof judge>[1]> = {}) {
  const papers = await Promise.all(
    files.map(async (bytes, index) => ({
      id: `paper ${index}`,
      facts: IncomePaper.parse(await readPaper(bytes, [])),
    })),
  );
  const judgement = judge(papers, { ...context, ...changes });
  const resultOf = (kind: string, id = 'paper 0') =>
    judgement.checks.find((check) => check.kind === kind && check.documentId === id)?.result;
  const bad = judgement.checks.filter(({ result }) => result === 'failed' || result === 'doubt');
  return { ...judgement, resultOf, bad: bad.map(({ kind, result }) => `${kind} ${result}`) };
}

const signsOf = ({ signals }: { signals: { sign: string }[] }) => signals.map(({ sign }) => sign);

describe('a clean payslip', () => {
  test.each(Object.keys(layouts))('raises nothing and is read rightly: %s', async (layout) => {
    const { bad, signals, result, documents, resultOf } = await judged([await slipOf(layout)]);
    expect({ bad, signs: signals.map(({ sign, found, expected }) => ({ sign, found, expected })) }).toEqual({
      bad: [],
      signs: [],
    });
    expect(result).toEqual({
      ...{
        currency: 'EUR',
        employerName: usual.employer,
        periodStart: '2026-05-01',
        periodEnd: '2026-05-31',
      },
      ...{
        grossCents: 358_667,
        netCents: 268_444,
        payFrequency: 'monthly',
        annualGrossEstimateCents: 4_648_324,
      },
    });
    expect(documents[0]).toMatchObject({ type: 'payslip', pages: 1 });
    expect(
      ['arithmetic', 'name_match', 'bank_account', 'legal_minimum'].map((kind) => resultOf(kind)),
    ).toEqual([...['passed', 'passed', 'passed', 'passed']]);
  });
});

test('letters of a heading that stand apart are words', async () => {
  const file = await paperOf([
    { text: 'L O O N S T R O O K   M E I', font: 'Courier' },
    'M D W D V',
    ...(layouts['two columns']?.({ ...usual, title: '' }) ?? []),
  ]);
  const facts = await readPaper(file, []);
  const words = facts.readable ? facts.pages[0]?.words.map(({ text }) => text) : [];
  expect(words).toEqual(expect.arrayContaining(['LOONSTROOK']));
  expect((await judged([file])).documents[0]?.type).toBe('payslip');
});

describe('a planted fault is found', () => {
  test.each(Object.keys(layouts))('a net amount that is two cents too high: %s', async (layout) => {
    const { resultOf } = await judged([await slipOf(layout, { net: '2.684,46' })]);
    expect(['failed', 'doubt']).toContain(resultOf('arithmetic'));
  });

  test.each(Object.keys(layouts))('a salary that was raised alone: %s', async (layout) => {
    const { resultOf } = await judged([await slipOf(layout, { salary: '3.966,67' })]);
    expect(['failed', 'doubt']).toContain(resultOf('arithmetic'));
  });

  test('one cent is in doubt, and two fail where every line is known', async () => {
    const one = await judged([await slipOf('labels to the left', { net: '2.684,45' })]);
    const two = await judged([await slipOf('labels to the left', { net: '2.684,46' })]);
    expect([one.resultOf('arithmetic'), two.resultOf('arithmetic')]).toEqual(['doubt', 'failed']);
    expect(two.signals.find(({ sign }) => sign === 'net_sum')).toMatchObject({
      found: '2.684,46',
      expected: '2.684,44',
      page: 0,
    });
  });

  test('an amount that a later revision changed, with what stood there before', async () => {
    const hex = (text: string) => Buffer.from(text).toString('hex');
    const file = await slipOf('labels to the left', {}, { defaultStyle: { font: 'Courier', fontSize: 8 } });
    const found = await judged([changedLater(file, hex('2.684,44'), hex('9.684,44'))]);
    expect(found.resultOf('revision_history')).toBe('failed');
    expect(found.signals.find(({ sign }) => sign === 'changed_later')).toMatchObject({
      ...{ found: '9.684,44', expected: '2.684,44', page: 0 },
    });
    const same = await judged([changedLater(file, hex('2.684,44'), hex('2.684,44'))]);
    expect(same.resultOf('revision_history')).toBe('passed');
  });

  test.each([
    ['that 20 later revisions bury', '%%EOF', 20],
    ['of a state whose end has no mark', '     ', 0],
  ])('a change %s', async (_, mark, more) => {
    const hex = (text: string) => Buffer.from(text).toString('hex');
    const file = await slipOf('labels to the left', {}, { defaultStyle: { font: 'Courier', fontSize: 8 } });
    file.write(mark, file.lastIndexOf('%%EOF'));
    let bytes = changedLater(file, hex('2.684,44'), hex('9.684,44'));
    for (let each = 0; each < more; each++) bytes = fileWith(bytes, `<< /Each ${each} >>`);
    const found = await judged([bytes]);
    expect(found.resultOf('revision_history')).toBe('failed');
    expect(signsOf(found)).toContain('changed_later');
  });

  test('an amount under a white box, with another one over it', async () => {
    const cover = {
      canvas: [{ type: 'rect' as const, x: 0, y: 0, w: 60, h: 14, color: '#ffffff' }],
      absolutePosition: { x: 490, y: 500 },
    };
    const content = [
      ...(layouts['labels to the left']?.(usual) ?? []),
      { text: '2.684,44', absolutePosition: { x: 495, y: 502 } },
      cover,
      { text: '9.684,44', absolutePosition: { x: 495, y: 502 } },
    ];
    const { resultOf, signals } = await judged([await paperOf(content)]);
    expect(resultOf('file_integrity')).toBe('failed');
    expect(signals.find(({ sign }) => sign === 'replaced')).toMatchObject({
      found: '9.684,44',
      expected: '2.684,44',
    });
  });

  test.each([0, 1, 3])('an amount that is printed on another one, %i points lower', async (lower) => {
    const two = ['2.684,44', '9.731,50'].map((text, index) => ({
      text,
      absolutePosition: { x: 495, y: 502 + index * lower },
    }));
    const found = await judged([await paperOf([...(layouts.english?.(usual) ?? []), ...two])]);
    expect(signsOf(found)).toContain('print_over_print');
  });

  test('digits of one amount in two fonts', async () => {
    const mixed = { text: [{ text: '12' }, { text: '3,45', font: 'Courier' }] };
    const { resultOf } = await judged([await paperOf([...(layouts.english?.(usual) ?? []), mixed])]);
    expect(resultOf('file_integrity')).toBe('failed');
  });

  test.each([
    ['a period that is too old', { period: '01-01-2026 t/m 31-01-2026' }, 'period', 'too_old'],
    ['a period in the future', { period: '01-07-2026 t/m 31-07-2026' }, 'period', 'in_the_future'],
    ['a wage below the minimum', { hourly: '12,00' }, 'legal_minimum', 'below_minimum'],
    [
      'an account number with a wrong digit',
      { iban: 'NL91 ABNA 0417 1643 01' },
      'bank_account',
      'account_number',
    ],
    ['another name', { name: 'P. Jansen' }, 'name_match', 'name_mismatch'],
  ])('%s', async (_, changes, kind, sign) => {
    const found = await judged([await slipOf('labels to the left', changes)]);
    expect(['failed', 'doubt']).toContain(found.resultOf(kind));
    expect(signsOf(found)).toContain(sign);
  });

  test.each([
    ['Stamp', 'failed'],
    ['Widget /FT /Tx /V (9.684,44)', 'failed'],
    ['FreeText', 'doubt'],
    ['Highlight', 'doubt'],
    ['Watermark', 'doubt'],
  ])('an amount under another one that is drawn by an annotation: %s', async (kind, result) => {
    const file = await slipOf('labels to the left');
    const facts = await readPaper(file, []);
    const page = facts.readable ? facts.pages[0] : undefined;
    const [left = 0, top = 0, right = 0, bottom = 0] =
      page?.words.find(({ text }) => text === usual.net)?.box ?? [];
    const high = page?.height ?? 0;
    const operators = '1 g 0 0 200 200 re f 0 g BT /F 9 Tf 1 2 Td (9.684,44) Tj ET';
    const rect = [left - 1, high - bottom, right + 1, high - top];
    const found = await judged([annotatedLater(file, kind, rect, operators)]);
    expect(found.resultOf('file_integrity')).toBe(result);
    expect(found.signals.find(({ sign }) => sign === 'laid_over')).toMatchObject({
      expected: usual.net,
    });
  });

  test.each([
    ['bold', { bold: true }],
    ['larger', { fontSize: 10.3 }],
  ])('an amount that is set %s where others of its kind are not', async (_, look) => {
    const lines = (odd: object) =>
      ['Salaris', 'Overwerk', 'Toeslag', 'Loonheffing', 'Reiskosten', 'Nettoloon'].map((label, index) => [
        label,
        { text: `1.${index}34,5${index}`, alignment: 'right' as const, ...(index === 1 ? odd : {}) },
      ]);
    const paper = (odd: object) => paperOf([{ table: { body: lines(odd) }, layout: 'noBorders' }]);
    expect(signsOf(await judged([await paper(look)]))).toContain('style_of_amount');
    expect(signsOf(await judged([await paper({})]))).not.toContain('style_of_amount');
    const total = lines({}).map((line, index) =>
      index === 5 ? [line[0], { ...Object(line[1]), ...look }] : line,
    );
    const clean = await paperOf([{ table: { body: total as never }, layout: 'noBorders' }]);
    expect(signsOf(await judged([clean]))).not.toContain('style_of_amount');
  });

  test('a paper that a drawing program saved', async () => {
    const info = { producer: 'LibreOffice 7.4', creator: 'Draw' };
    expect(signsOf(await judged([await slipOf('english', {}, { info })]))).toContain('editor');
  });

  test('the same file twice, in one case or in two', async () => {
    const slip = await slipOf('english');
    const twice = await judged([slip, slip]);
    expect(twice.resultOf('duplicate', 'paper 1')).toBe('doubt');
    const { sha256 } = await readPaper(slip, []);
    expect((await judged([slip], { known: [sha256] })).resultOf('duplicate')).toBe('doubt');
  });

  test('hours under the heading of another number are no number of the chamber', async () => {
    const table = (row: string[]) =>
      paperOf([{ table: { body: [['Uren per week', 'KvK'], row] } }, 'Salarisspecificatie']);
    expect(signsOf(await judged([await table(['36,00', '60015838'])]))).not.toContain('chamber_number');
  });

  test('the same paper, saved again with another date', async () => {
    const other = { info: { producer: 'Other', creationDate: new Date('2026-05-26T10:00:00Z') } };
    const papers = [await slipOf('english'), await slipOf('english', {}, other)];
    const twice = await judged(papers);
    expect(twice.resultOf('duplicate', 'paper 1')).toBe('doubt');
    expect(signsOf(twice)).toContain('same_text_twice');
    const raised = await judged([await slipOf('english'), await slipOf('english', { net: '2.684,45' })]);
    expect(raised.resultOf('duplicate', 'paper 1')).toBe('passed');
    const facts = await readPaper(papers[0] ?? Buffer.alloc(0), []);
    const known = [facts.readable ? (facts.textSha256 ?? '') : ''];
    expect(signsOf(await judged(papers.slice(1), { known }))).toContain('text_seen_before');
  });

  test('a statement that names another employer than the slip', async () => {
    const statement = (employer: string) =>
      paperOf([
        { text: 'Jaaropgave 2025', fontSize: 14 },
        `Werkgever: ${employer}`,
        'J.M. van der Berg',
        'Loon voor de loonheffing 41.200',
      ]);
    const slip = await slipOf('two columns');
    const other = await judged([slip, await statement('Bakkerij Zonneveld B.V.')]);
    expect(other.resultOf('content_complete', 'paper 1')).toBe('doubt');
    expect(
      (await judged([slip, await statement(usual.employer)])).resultOf('content_complete', 'paper 1'),
    ).toBe('passed');
  });

  test.each([
    ['javascript', '<< /S /JavaScript /JS (app.alert\\(1\\)) >>', 'failed'],
    ['launch', '<< /S /Launch /F (calc.exe) >>', 'failed'],
    ['javascript', '<< /S /J#61vaScript /JS (x) >>', 'failed'],
    ['remote', '<< /S /SubmitForm /F (https://example.org) >>', 'doubt'],
  ])('an active file: %s', async (sign, object, result) => {
    const found = await judged([fileWith(await slipOf('english'), object)]);
    expect(signsOf(found)).toContain(sign);
    expect(found.resultOf('file_integrity')).toBe(result);
  });
});

/** A stream of spaces, packed one or more times. */
function packed(length: number, times = 1): Buffer {
  let content: Buffer = Buffer.alloc(length, ' ');
  for (let time = 0; time < times; time++) content = deflateSync(content);
  const head = `%PDF-1.7\n1 0 obj\n<< /Filter [${' /FlateDecode'.repeat(times)}] >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\nendstream\nendobj\n')]);
}

describe('what a slip says is counted once, and nothing is left out', () => {
  const may = { ...usual, gross: '6.914,67', tax: '2.140,33' };
  const inMay = (slip: typeof usual, more: string[][] = []) => [
    { text: 'L O O N S T R O O K', fontSize: 14 },
    ...(layouts['labels to the left']?.(slip) ?? []).slice(1, 2),
    {
      table: {
        widths: ['*', 60, 80, 80],
        body: [
          ['', 'Uren', 'Bedrag', 'T/m heden'],
          ['100  Salaris', '173,33', slip.salary, '17.333,35'],
          ['Overwerk', '6,00', slip.overtime, '600,00'],
          ['300  Vakantiegeld', '', '3.328,00', '3.328,00'],
          ['Bruto loon', '', slip.gross, '21.261,35'],
          ...more,
          ['30%-regeling', '', '100,00-', '500,00-'],
          ['Loonheffing', '', '812,33-', '4.061,65-'],
          ['Loonheffing bijzonder tarief', '', '1.328,00-', '1.328,00-'],
          ['Premie WGA', '', '180,10-', '900,50-'],
          ['Reiskosten', '', slip.travel, '451,00'],
          ['Netto loon', '', slip.net, '15.000,00'],
        ].map((row) =>
          row.map((text, place) => ({ text, ...(place > 0 && { alignment: 'right' as const }) })),
        ),
      },
      layout: 'noBorders',
    },
    `Uit te betalen op 24-05-2026 naar rekening ${slip.iban}`,
  ];

  test('holiday pay of May, its tax, and a title with spaces between its letters', async () => {
    const { bad, result, resultOf, documents } = await judged([
      await paperOf(inMay({ ...may, net: '4.684,44' })),
    ]);
    expect({ bad, arithmetic: resultOf('arithmetic') }).toEqual({ bad: [], arithmetic: 'passed' });
    expect(documents[0]).toMatchObject({ type: 'payslip', issuedOn: '2026-05-24' });
    expect(result).toMatchObject({ grossCents: 691_467, annualGrossEstimateCents: 4_648_324 });
  });

  test('one cent less is seen', async () => {
    const found = await judged([await paperOf(inMay({ ...may, net: '4.684,43' }))]);
    expect(found.resultOf('arithmetic')).toBe('doubt');
    expect(signsOf(found)).toContain('net_sum');
  });

  test('a line that is in no sum is pointed out', async () => {
    const found = await judged([
      await paperOf(inMay({ ...may, net: '4.684,44' }, [['Xyzzy', '', '77,77', '']])),
    ]);
    expect(found.resultOf('arithmetic')).toBe('doubt');
    expect(signsOf(found)).toContain('line_left_out');
  });
});

describe('numbers beside their label', () => {
  test.each([
    ['BSN', '999907798', 'citizen_service_number', 'citizen_number_wrong'],
    ['Burgerservicenummer', '9999 07 798', 'citizen_service_number', 'citizen_number_wrong'],
    ['Loonheffingennummer', '12345678L1', 'content_complete', 'wage_tax_number'],
    ['KvK-nummer', '1234567', 'content_complete', 'chamber_number'],
    ['Rekening', 'NL91 ABNA 0417 1643 0', 'bank_account', 'account_number'],
    ['IBAN', 'BE68 5390 0754 7035', 'bank_account', 'account_number'],
  ])('a wrong form is in doubt: %s %s', async (label, number, kind, name) => {
    const lines = [...(layouts['two columns']?.(usual) ?? []), { columns: [label, number] }];
    const found = await judged([await paperOf(lines)]);
    expect(found.resultOf(kind)).toBe('doubt');
    expect(signsOf(found)).toContain(name);
  });

  test.each([
    ['BSN', '999907797'],
    ['BSN', '********'],
    ['Loonheffingennummer', '854051715L05'],
    ['KvK-nummer', '37439369'],
    ['IBAN', 'BE68 5390 0754 7034'],
  ])('a right or covered one is not: %s %s', async (label, number) => {
    const lines = [...(layouts['two columns']?.(usual) ?? []), { columns: [label, number] }];
    expect((await judged([await paperOf(lines)])).bad).toEqual([]);
  });
});

describe('a file that cannot be read', () => {
  test.each([
    ['not_a_pdf', Buffer.from('PK\x03\x04 no pdf'), 'failed'],
    ['damaged', Buffer.from('%PDF-1.7\nnothing more'), 'doubt'],
    ['too_complex', packed(20_000_000), 'doubt'],
    ['too_complex', packed(20_000_000, 2), 'doubt'],
  ])('is a fact: %s', async (reason, bytes, result) => {
    const found = await judged([bytes]);
    expect(signsOf(found)).toEqual([reason]);
    expect(found.resultOf('file_integrity')).toBe(result);
  });
});

test('a sign quotes no more of a paper than anybody reads', () => {
  const { found, expected } = sign('laid_over', { found: 'x'.repeat(9_000) });
  expect([found?.length, expected]).toEqual([500, null]);
});
