import type { IncomeDocumentType, Language } from '#contract/enums.ts';

/** The documents that tell an income. */
type Texts = {
  title: string;
  /** Before the list of those that will do. */
  anyOf: string;
  /** Before the list of those that were asked for. */
  asked(organisation: string): string;
  /** The name of each document, and where a person finds it. */
  kinds: Record<IncomeDocumentType, { name: string; where: string }>;
  hints: Record<'file' | 'covered' | 'most', string>;
  choose: string;
  send: string;
  sending: string;
  sandbox: string;
  specimen: string;
  /** The name of a document that was handed in, whose own name nobody keeps. */
  item(number: number): string;
  remove: string;
  another: string;
  full: string;
  /** The faults that have other words where no photo was sent. */
  faults: Record<'too_heavy' | 'still_sending' | 'too_many', string>;
};

const en: Texts = {
  title: 'Your documents',
  anyOf: 'Each of these documents will do. You can hand in several.',
  asked: (organisation) => `${organisation} asks you for:`,
  kinds: {
    payslip: {
      name: 'Payslip',
      where: 'In the portal of your employer, or in an e-mail of the payroll office.',
    },
    uwv_statement: {
      name: 'Insurance statement of UWV (verzekeringsbericht)',
      where: 'On mijn.uwv.nl. You sign in there yourself; we do not ask for your DigiD.',
    },
    annual_statement: {
      name: 'Annual statement (jaaropgave)',
      where: 'Where you find your payslips, or on mijn.uwv.nl if you have a benefit.',
    },
    employer_statement: {
      name: 'Employer’s statement (werkgeversverklaring)',
      where: 'Your employer makes it for you. Ask for it as a PDF.',
    },
  },
  hints: {
    file: 'Choose the PDF as you downloaded it. A photo or scan of a print helps less.',
    covered: 'Your citizen service number (BSN) is not needed. It may be covered or left out.',
    most: 'At most five files, each of at most 10 MB.',
  },
  choose: 'Choose a PDF',
  send: 'Add this document',
  sending: 'Sending…',
  sandbox: 'The test environment reads and keeps no documents. Any PDF will do, and so will an example.',
  specimen: 'Use an example',
  item: (number) => `Document ${number}`,
  remove: 'Remove',
  another: 'Add another document',
  full: 'You have added five documents. No more are possible.',
  faults: {
    too_heavy: 'This file is larger than 10 MB. Download the document again, or choose a smaller PDF.',
    still_sending: 'Your document is still being received. Wait a moment.',
    too_many: 'Too many documents were sent through this link. Ask for a new link.',
  },
};

const nl: Texts = {
  title: 'Uw documenten',
  anyOf: 'Elk van deze documenten is goed. U kunt er ook meer inleveren.',
  asked: (organisation) => `${organisation} vraagt u om:`,
  kinds: {
    payslip: {
      name: 'Loonstrook',
      where: 'In het portaal van uw werkgever, of in een e-mail van de salarisadministratie.',
    },
    uwv_statement: {
      name: 'Verzekeringsbericht van UWV',
      where: 'Op mijn.uwv.nl. U logt daar zelf in; wij vragen niet om uw DigiD.',
    },
    annual_statement: {
      name: 'Jaaropgave',
      where: 'Waar ook uw loonstroken staan, of op mijn.uwv.nl als u een uitkering heeft.',
    },
    employer_statement: {
      name: 'Werkgeversverklaring',
      where: 'Die maakt uw werkgever voor u. Vraag erom als PDF.',
    },
  },
  hints: {
    file: 'Kies de PDF zoals u die heeft gedownload. Een foto of scan van een afdruk is minder goed te controleren.',
    covered: 'Uw burgerservicenummer (BSN) is niet nodig. Het mag afgedekt zijn of ontbreken.',
    most: 'Hoogstens vijf bestanden, elk van hoogstens 10 MB.',
  },
  choose: 'Kies een PDF',
  send: 'Dit document toevoegen',
  sending: 'Bezig met versturen…',
  sandbox:
    'In de testomgeving worden documenten niet gelezen en niet bewaard. Elke PDF is goed, en een voorbeeld ook.',
  specimen: 'Een voorbeeld gebruiken',
  item: (number) => `Document ${number}`,
  remove: 'Verwijderen',
  another: 'Nog een document toevoegen',
  full: 'U heeft vijf documenten toegevoegd. Meer kan niet.',
  faults: {
    too_heavy: 'Dit bestand is groter dan 10 MB. Download het document opnieuw, of kies een kleinere PDF.',
    still_sending: 'Uw document wordt nog ontvangen. Wacht even.',
    too_many: 'Er zijn te veel documenten verstuurd via deze link. Vraag om een nieuwe link.',
  },
};

export const paperTexts: Record<Language, Texts> = { nl, en };
