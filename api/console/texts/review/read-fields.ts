import type { ReadFieldName } from '#contract/documents/read-fields.ts';
import type { Language } from '#contract/enums.ts';

type Texts = {
  title: string;
  /** What the table is, and what it is not. */
  about: string;
  columns: Record<'field' | 'zone' | 'print', string>;
  names: Record<ReadFieldName, string>;
  print: Record<'same' | 'missing' | 'uncompared', string>;
  unsure: string;
};

const en: Texts = {
  title: 'What a computer read',
  about: 'The numbers are those on the picture. It can be wrong: look for yourself.',
  columns: { field: 'Field', zone: 'Zone (MRZ)', print: 'Print' },
  names: {
    surname: 'Surname',
    given_names: 'Given names',
    document_number: 'Document number',
    birth_date: 'Date of birth',
    expiry_date: 'Date of expiry',
    sex: 'Sex',
    nationality: 'Nationality',
    issuing_state: 'Issuing state',
  },
  print: { same: 'the same', missing: 'not found', uncompared: 'not compared' },
  unsure: 'two readers differ',
};

const nl: Texts = {
  title: 'Automatisch gelezen',
  about: 'De nummers staan ook op de foto. Er kan een fout in zitten: kijk zelf.',
  columns: { field: 'Gegeven', zone: 'Zone (MRZ)', print: 'Gedrukte tekst' },
  names: {
    surname: 'Achternaam',
    given_names: 'Voornamen',
    document_number: 'Documentnummer',
    birth_date: 'Geboortedatum',
    expiry_date: 'Geldig tot',
    sex: 'Geslacht',
    nationality: 'Nationaliteit',
    issuing_state: 'Afgegeven door',
  },
  print: { same: 'hetzelfde', missing: 'niet gevonden', uncompared: 'niet vergeleken' },
  unsure: 'twee leesmethoden verschillen',
};

export const readFieldTexts: Record<Language, Texts> = { en, nl };
