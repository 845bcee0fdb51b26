import type { Language } from '#contract/enums.ts';
import type { ConsoleRole } from '#contract/members.ts';

type RoleText = { name: string; may: string };

/** The roles: their names, and what each may do. */
const roles: Record<ConsoleRole, RoleText> = {
  owner: { name: 'Owner', may: 'May do everything, and decides who is a member.' },
  developer: { name: 'Developer', may: 'Makes keys and webhooks, and sees verifications without evidence.' },
  reviewer: { name: 'Reviewer', may: 'Looks at evidence and decides about verifications in review.' },
  auditor: { name: 'Auditor', may: 'Reads everything but evidence, makes dossiers, and changes nothing.' },
  operator: {
    name: 'Operator',
    may: 'Sees what is open in the whole service, and pauses organisations and endpoints. Sees no verification.',
  },
};

const en = {
  title: 'Members',
  intro: 'Who may sign in to this console for your organisation.',
  only: 'You are the only member. Invite the people who review, develop or audit, each with an own account.',
  invite: 'Invite somebody',
  inviteText: 'No mail is sent. You get a link, and hand it over yourself.',
  email: 'E-mail address',
  role: 'Role',
  state: 'Status',
  seen: 'Last seen',
  manage: 'Manage',
  states: { active: 'active', invited: 'invited', expired: 'invitation expired', disabled: 'disabled' },
  secondFactor: 'Second factor',
  yes: 'yes',
  no: 'no',
  faults: {
    email: 'Give an e-mail address, such as name@example.com.',
    role: 'Choose a role.',
    member: 'This address is a member already.',
    too_many: 'Your organisation has the most members that are possible.',
    unknown: 'There is no such member.',
    last_owner: 'Your organisation would have no owner left. Make somebody else owner first.',
    not_joined: 'The invitation is not accepted yet. Invite the address again for a new link.',
    disabled: 'The member is disabled. Enable the member first.',
  },
  linkTitle: 'Hand over this link',
  invitationText: (email: string) =>
    `It lets ${email} choose a password, once. Give it to nobody else, and use a way that you trust.`,
  resetText: (email: string) =>
    `It lets ${email} choose a new password and a new second factor, once. Until then nothing changes.`,
  until: 'The link works until',
  linkBack: 'To the members',
  message: 'A message to send',
  messageText: {
    invitation: (organisation: string, link: string, until: string, role: string) =>
      `You are invited to the verification console of ${organisation}, as ${role}. Open this link and choose a password: ${link}\n\nThe link works once, until ${until}. Give it to nobody else.`,
    reset: (organisation: string, link: string, until: string, _: string) =>
      `With this link you choose a new password for the verification console of ${organisation}: ${link}\n\nThe link works once, until ${until}. Give it to nobody else.`,
  },
  you: 'you',
  changeRole: 'Change role',
  disable: 'Disable',
  disableText:
    'The member is signed out everywhere and cannot sign in any more. What the member did stays in the log.',
  enable: 'Enable',
  enableText: 'The member can sign in again with the same password.',
  reset: 'Make a reset link',
  resetWhy: 'For a member who lost the password or the phone.',
  again: 'Make a new invitation',
  removal: {
    remove: 'Remove for good',
    text: 'The e-mail address, the password, the second factor and the passkeys are deleted. What the member did stays in the log, under a number. This cannot be undone.',
    notDisabled: 'Disable the member first.',
  },
  roles,
};

const nl: typeof en = {
  title: 'Leden',
  intro: 'Wie zich voor uw organisatie bij deze console mag aanmelden.',
  only: 'U bent het enige lid. Nodig de mensen uit die beoordelen, ontwikkelen of controleren, elk met een eigen account.',
  invite: 'Iemand uitnodigen',
  inviteText: 'Er wordt geen mail verstuurd. U krijgt een link die u zelf doorgeeft.',
  email: 'E-mailadres',
  role: 'Rol',
  state: 'Status',
  seen: 'Laatst actief',
  manage: 'Beheren',
  states: {
    active: 'actief',
    invited: 'uitgenodigd',
    expired: 'uitnodiging verlopen',
    disabled: 'uitgeschakeld',
  },
  secondFactor: 'Tweede factor',
  yes: 'ja',
  no: 'nee',
  faults: {
    email: 'Vul een e-mailadres in, zoals naam@voorbeeld.nl.',
    role: 'Kies een rol.',
    member: 'Dit adres is al lid.',
    too_many: 'Uw organisatie heeft het maximale aantal leden.',
    unknown: 'Dit lid bestaat niet.',
    last_owner: 'Er moet minstens één eigenaar blijven. Maak eerst iemand anders eigenaar.',
    not_joined: 'De uitnodiging is nog niet aangenomen. Nodig het adres opnieuw uit voor een nieuwe link.',
    disabled: 'Het lid is uitgeschakeld. Schakel het lid eerst in.',
  },
  linkTitle: 'Geef deze link door',
  invitationText: (email) =>
    `${email} kan er één keer een wachtwoord mee kiezen. Geef de link aan niemand anders, en gebruik een kanaal dat u vertrouwt.`,
  resetText: (email) =>
    `${email} kan er één keer een nieuw wachtwoord en een nieuwe tweede factor mee kiezen. Tot dan verandert er niets.`,
  until: 'De link werkt tot',
  linkBack: 'Naar de leden',
  message: 'Een bericht om te versturen',
  messageText: {
    invitation: (organisation, link, until, role) =>
      `U bent uitgenodigd voor de verificatieconsole van ${organisation}, als ${role}. Open deze link en kies een wachtwoord: ${link}\n\nDe link werkt één keer, tot ${until}. Geef de link aan niemand anders.`,
    reset: (organisation, link, until) =>
      `Met deze link kiest u een nieuw wachtwoord voor de verificatieconsole van ${organisation}: ${link}\n\nDe link werkt één keer, tot ${until}. Geef de link aan niemand anders.`,
  },
  you: 'u',
  changeRole: 'Rol wijzigen',
  disable: 'Uitschakelen',
  disableText:
    'Het lid wordt overal afgemeld en kan zich niet meer aanmelden. Wat het lid heeft gedaan, blijft in het logboek staan.',
  enable: 'Inschakelen',
  enableText: 'Het lid kan zich weer aanmelden met hetzelfde wachtwoord.',
  reset: 'Herstellink maken',
  resetWhy: 'Voor een lid dat het wachtwoord of de telefoon kwijt is.',
  again: 'Nieuwe uitnodiging maken',
  removal: {
    remove: 'Definitief verwijderen',
    text: 'Het e-mailadres, het wachtwoord, de tweede factor en de passkeys worden verwijderd. Wat het lid heeft gedaan, blijft in het logboek staan, onder een nummer. Dit kan niet ongedaan worden gemaakt.',
    notDisabled: 'Schakel het lid eerst uit.',
  },
  roles: {
    owner: { name: 'Eigenaar', may: 'Mag alles, en bepaalt wie lid is.' },
    developer: {
      name: 'Ontwikkelaar',
      may: 'Maakt sleutels en webhooks, en ziet verificaties zonder bewijs.',
    },
    reviewer: {
      name: 'Beoordelaar',
      may: 'Bekijkt bewijs en beslist over verificaties in beoordeling.',
    },
    auditor: { name: 'Auditor', may: 'Ziet alles behalve bewijs, maakt dossiers en wijzigt niets.' },
    operator: {
      name: 'Beheerder',
      may: 'Ziet wat er in de hele dienst openstaat, en pauzeert organisaties en endpoints. Ziet geen verificatie.',
    },
  },
};

export const memberTexts: Record<Language, typeof en> = { en, nl };

const ofOperators: Record<Language, string> = { en: 'Service operations', nl: 'Beheer van de dienst' };

/** What somebody works for. An operator belongs to no organisation, so its name is empty. */
export const placeOf = (language: Language, organisation: string): string =>
  organisation === '' ? ofOperators[language] : organisation;
