import type { Language } from '#contract/enums.ts';
import type { ConsoleRole } from '#contract/members.ts';

type RoleText = { name: string; may: string };

const en: Record<ConsoleRole, RoleText> = {
  owner: { name: 'Owner', may: 'May do everything, and decides who is a member.' },
  developer: { name: 'Developer', may: 'Makes keys and webhooks, and sees verifications without evidence.' },
  reviewer: { name: 'Reviewer', may: 'Looks at evidence and decides about verifications in review.' },
  auditor: { name: 'Auditor', may: 'Reads everything but evidence, makes dossiers, and changes nothing.' },
  operator: {
    name: 'Operator',
    may: 'Sees what is open in the whole service, and pauses organisations and endpoints. Sees no verification.',
  },
};

const nl: typeof en = {
  owner: { name: 'Eigenaar', may: 'Mag alles, en bepaalt wie lid is.' },
  developer: {
    name: 'Ontwikkelaar',
    may: 'Maakt sleutels en webhooks, en ziet verificaties zonder bewijs.',
  },
  reviewer: {
    name: 'Beoordelaar',
    may: 'Bekijkt bewijs en beslist over verificaties die beoordeeld moeten worden.',
  },
  auditor: { name: 'Auditor', may: 'Leest alles behalve bewijs, maakt dossiers en wijzigt niets.' },
  operator: {
    name: 'Beheerder',
    may: 'Ziet wat er in de hele dienst openstaat, en pauzeert organisaties en endpoints. Ziet geen verificatie.',
  },
};

/** The roles: their names, and what each may do. */
export const roleTexts: Record<Language, typeof en> = { en, nl };

const ofOperators: Record<Language, string> = { en: 'Service operations', nl: 'Beheer van de dienst' };

/** What somebody works for. An operator belongs to no organisation, so its name is empty. */
export const placeOf = (language: Language, organisation: string): string =>
  organisation === '' ? ofOperators[language] : organisation;
