import type { IncomeDocumentType, Language, PayFrequency } from '#contract/enums.ts';
import type { MissingField } from '#contract/income/signs.ts';

/** How the two values of a sign relate to each other. */
export type ValueNames =
  | 'seen'
  | 'sum'
  | 'law'
  | 'hidden'
  | 'both'
  | 'before'
  | 'made'
  | 'also'
  | 'day'
  | 'other'
  | 'file'
  | 'signer'
  | 'missing';

const en = {
  /** With the Dutch name, which is on most documents. */
  types: {
    payslip: 'Payslip (loonstrook)',
    uwv_statement: 'Insurance statement of UWV (verzekeringsbericht)',
    annual_statement: 'Annual statement (jaaropgave)',
    employer_statement: 'Statement of the employer (werkgeversverklaring)',
  } satisfies Record<IncomeDocumentType, string>,
  unknownType: 'Kind of document unknown',
  document: 'Document',
  ofAll: 'All together',
  page: 'Page',
  signs: 'What was seen',
  noSigns: 'Nothing was seen that needs a look.',
  onPage: 'on page',
  notShown: 'This document cannot be shown.',
  result: 'The income on the documents',
  noResult: 'The documents tell no income that could be read.',
  notRead: 'not found',
  fields: {
    employer: 'Employer',
    period: 'Period',
    gross: 'Gross',
    net: 'Net',
    yearly: 'Gross in a year, estimated',
    frequency: 'Paid',
  },
  frequencies: {
    weekly: 'each week',
    four_weekly: 'every four weeks',
    monthly: 'each month',
    yearly: 'each year',
  } satisfies Record<PayFrequency, string>,
  missing: {
    employer: 'the employer',
    period: 'the period',
    gross: 'the gross amount',
    net: 'the net amount',
    minimum_wage: 'the legal minimum wage',
    hours: 'the hours in a week',
    date: 'a date',
  } satisfies Record<MissingField, string>,
  /** How the two values of a sign are called. */
  values: {
    seen: ['On the document', 'Expected'],
    sum: ['On the document', 'By calculation'],
    law: ['On the document', 'By law'],
    hidden: ['Seen', 'Underneath'],
    both: ['Print', 'Other print'],
    before: ['Now', 'Before'],
    made: ['Changed', 'Made'],
    also: ['On the document', 'Also on the document'],
    day: ['Period', 'Date'],
    other: ['On this document', 'On the other document'],
    file: ['In the file', 'Also in the file'],
    signer: ['Signed by', 'Expected'],
    missing: ['Found', 'Not found'],
  } as Record<ValueNames, [found: string, expected: string]>,
  claimed: 'This income check is yours for another',
  noEvidence: 'There are no documents any more. It can only be rejected as: cannot be assessed.',
  sandbox: 'Sandbox keeps no documents and reads none. Decide as you would on an example.',
  until: 'The pictures of the documents are deleted on',
  one: 'Income check',
};

const nl: typeof en = {
  types: {
    payslip: 'Loonstrook',
    uwv_statement: 'Verzekeringsbericht van UWV',
    annual_statement: 'Jaaropgave',
    employer_statement: 'Werkgeversverklaring',
  },
  unknownType: 'Soort document onbekend',
  document: 'Document',
  ofAll: 'Alle samen',
  page: 'Pagina',
  signs: 'Wat opviel',
  noSigns: 'Er viel niets op.',
  onPage: 'op pagina',
  notShown: 'Dit document kan niet worden getoond.',
  result: 'Het inkomen op de documenten',
  noResult: 'Op de documenten is geen inkomen gevonden.',
  notRead: 'niet gevonden',
  fields: {
    employer: 'Werkgever',
    period: 'Tijdvak',
    gross: 'Bruto',
    net: 'Netto',
    yearly: 'Bruto per jaar (geschat)',
    frequency: 'Uitbetaling',
  },
  frequencies: {
    weekly: 'per week',
    four_weekly: 'per vier weken',
    monthly: 'per maand',
    yearly: 'per jaar',
  },
  missing: {
    employer: 'de werkgever',
    period: 'het tijdvak',
    gross: 'het brutobedrag',
    net: 'het nettobedrag',
    minimum_wage: 'het wettelijk minimumloon',
    hours: 'de uren per week',
    date: 'een datum',
  },
  values: {
    seen: ['Op het document', 'Verwacht'],
    sum: ['Op het document', 'Berekend'],
    law: ['Op het document', 'Volgens de wet'],
    hidden: ['Te zien', 'Eronder'],
    both: ['Tekst', 'Andere tekst'],
    before: ['Nu', 'Eerder'],
    made: ['Veranderd', 'Gemaakt'],
    also: ['Op het document', 'Ook op het document'],
    day: ['Tijdvak', 'Datum'],
    other: ['Op dit document', 'Op het andere document'],
    file: ['In het bestand', 'Ook in het bestand'],
    signer: ['Ondertekend door', 'Verwacht'],
    missing: ['Gevonden', 'Niet gevonden'],
  },
  claimed: 'U behandelt deze inkomenscontrole nog',
  noEvidence: 'Er zijn geen documenten meer. U kunt alleen afwijzen als niet te beoordelen.',
  sandbox: 'Sandbox bewaart geen documenten en leest er geen. Beslis op basis van het voorbeeld.',
  until: 'De afbeeldingen van de documenten worden verwijderd op',
  one: 'Inkomenscontrole',
};

export const incomeTexts: Record<Language, typeof en> = { en, nl };
