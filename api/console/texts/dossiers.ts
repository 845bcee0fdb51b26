import type { Language } from '#contract/enums.ts';

const en = {
  title: 'Dossier',
  intro:
    'Everything about this verification for an auditor, signed: who consented, what was handed in and checked, who decided. It has no pictures. The history will say that you made it.',
  make: { pdf: 'Make a PDF to read', json: 'Make JSON to check' },
  formatFault: 'Choose PDF or JSON.',
  ready: 'The dossier is made. You can download it for a day; nobody else can.',
  download: { pdf: 'Download the PDF', json: 'Download the JSON' },
  check:
    'An auditor checks the JSON with this command. A PDF has the JSON inside. The auditor takes the public key from somebody else than you.',
  later: 'The dossier is not ready. It is made as soon as a worker runs; an order is kept for a day.',
  look: 'Look again',
  refused: {
    no_key:
      'This deployment signs no dossiers: an operator has to set LEDGER_KEY and LEDGER_DIR for the worker.',
    gone: 'The verification was removed in the meantime, so there is no dossier of it.',
    heads_changed:
      'The signatures of the log are no longer right. Tell your operator: npm run --silent inspect -- --only history',
  },
};

const nl: typeof en = {
  title: 'Dossier',
  intro:
    'Alles over deze verificatie voor een auditor, ondertekend: wie toestemming gaf, wat is ingeleverd en gecontroleerd, wie besliste. Er staan geen foto’s in. In de geschiedenis komt te staan dat u het heeft gemaakt.',
  make: { pdf: 'PDF maken om te lezen', json: 'JSON maken om te controleren' },
  formatFault: 'Kies PDF of JSON.',
  ready: 'Het dossier is gemaakt. U kunt het een dag lang downloaden; niemand anders kan dat.',
  download: { pdf: 'PDF downloaden', json: 'JSON downloaden' },
  check:
    'Een auditor controleert de JSON met deze opdracht. In een PDF zit de JSON. De auditor krijgt de publieke sleutel van iemand anders dan u.',
  later:
    'Het dossier is nog niet klaar. Het wordt gemaakt zodra een worker draait; uw aanvraag blijft een dag bewaard.',
  look: 'Kijk opnieuw',
  refused: {
    no_key:
      'Deze installatie ondertekent geen dossiers: een beheerder moet LEDGER_KEY en LEDGER_DIR van de worker instellen.',
    gone: 'De verificatie is intussen verwijderd, dus er is geen dossier van.',
    heads_changed:
      'De ondertekeningen van het logboek kloppen niet meer. Waarschuw uw beheerder: npm run --silent inspect -- --only history',
  },
};

export const dossierTexts: Record<Language, typeof en> = { en, nl };
