import type { Language } from '#contract/enums.ts';

const hoursFrom = 120;
const hours = (minutes: number) => Math.ceil(minutes / 60);

const en = {
  title: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  button: 'Sign in',
  wrong: 'The e-mail address and the password do not belong together.',
  missing: 'Fill in your e-mail address and your password.',
  organisation: 'Organisation',
  choose:
    'You are a member of several organisations with this password. Choose one, and give the password again.',
  help: 'No account, or lost your password or phone? An owner of your organisation can give you a link.',
  code: {
    title: 'Second step',
    intro: 'Open your authenticator app and give the code that it shows.',
    code: 'Code of 6 digits',
    button: 'Continue',
    wrong: 'This code is not right, or it was used before. Wait for the next code.',
    missing: 'Fill in the code.',
    lost: 'No phone at hand?',
    recovery: 'Recovery code',
    recoveryHint: 'Each recovery code works once.',
    recoveryButton: 'Use recovery code',
    recoveryWrong: 'This recovery code is not right, or it was used before.',
  },
  link: {
    invitation: (organisation: string) => `Join ${organisation}`,
    reset: 'New password',
    invitationText: (email: string, role: string) =>
      `You are invited as ${role}, with the address ${email}. Choose a password.`,
    resetText: (email: string) =>
      `Choose a new password for ${email}. Your second factor is removed and all browsers are signed out.`,
    password: 'New password',
    hint: 'At least 10 characters. Several words that do not belong together are good.',
    button: 'Set password',
    unknown: {
      title: 'This link does not work',
      text: 'It was used, replaced or is too old. An owner of your organisation can give you a new one.',
    },
    faults: {
      too_short: 'Use at least 10 characters.',
      too_long: 'Use at most 200 characters.',
      weak: 'This password is easy to guess. Add a few words that do not belong together.',
    },
  },
  setup: {
    title: 'Set up the second factor',
    why: 'Your role needs a second factor. With it, a stolen password is not enough.',
    optional: 'With a second factor, a stolen password is not enough.',
    scan: 'Scan this code with an authenticator app, or type the key.',
    onThisDevice: 'Open the app on this device',
    qr: 'The key as a code for an authenticator app',
    key: 'Key',
    code: 'Code that the app shows',
    button: 'Confirm',
    wrong: 'This code is not right. Check that the clock of your phone is right.',
    doneTitle: 'Keep your recovery codes',
    doneText:
      'Each code replaces your phone once. They are shown this once. Keep them where your password is not.',
    goOn: 'I have kept them',
  },
  attempts: {
    title: 'Too many attempts',
    wait(minutes: number) {
      const time =
        minutes > hoursFrom
          ? `${hours(minutes)} hours`
          : `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
      return `Wait ${time} and try again. A browser in which you signed in before, and a passkey, may work at once.`;
    },
  },
};

const nl: typeof en = {
  title: 'Aanmelden',
  email: 'E-mailadres',
  password: 'Wachtwoord',
  button: 'Aanmelden',
  missing: 'Vul uw e-mailadres en uw wachtwoord in.',
  wrong: 'E-mailadres of wachtwoord klopt niet.',
  organisation: 'Organisatie',
  choose:
    'U bent met dit wachtwoord lid van meerdere organisaties. Kies er een en vul het wachtwoord opnieuw in.',
  help: 'Geen account, of uw wachtwoord of telefoon kwijt? Een eigenaar van uw organisatie kan u een link geven.',
  code: {
    title: 'Tweede stap',
    intro: 'Open uw authenticator-app en vul de code in die u daar ziet.',
    code: 'Code van 6 cijfers',
    button: 'Verder',
    wrong: 'Deze code klopt niet, of is al gebruikt. Wacht op de volgende code.',
    missing: 'Vul de code in.',
    lost: 'Geen telefoon bij de hand?',
    recovery: 'Herstelcode',
    recoveryHint: 'Elke herstelcode werkt één keer.',
    recoveryButton: 'Herstelcode gebruiken',
    recoveryWrong: 'Deze herstelcode klopt niet, of is al gebruikt.',
  },
  link: {
    invitation: (organisation) => `Lid worden van ${organisation}`,
    reset: 'Nieuw wachtwoord',
    invitationText: (email, role) =>
      `U bent uitgenodigd als ${role}, met het adres ${email}. Kies een wachtwoord.`,
    resetText: (email) =>
      `Kies een nieuw wachtwoord voor ${email}. Uw tweede factor wordt verwijderd en alle browsers worden afgemeld.`,
    password: 'Nieuw wachtwoord',
    hint: 'Minstens 10 tekens. Bijvoorbeeld een paar woorden die niets met elkaar te maken hebben.',
    button: 'Wachtwoord instellen',
    unknown: {
      title: 'Deze link werkt niet',
      text: 'De link is gebruikt, vervangen of verlopen. Een eigenaar van uw organisatie kan u een nieuwe geven.',
    },
    faults: {
      too_short: 'Gebruik minstens 10 tekens.',
      too_long: 'Gebruik hoogstens 200 tekens.',
      weak: 'Dit wachtwoord is makkelijk te raden. Voeg een paar woorden toe die niets met elkaar te maken hebben.',
    },
  },
  setup: {
    title: 'Tweede factor instellen',
    why: 'Voor uw rol is een tweede factor verplicht. Dan is een gestolen wachtwoord niet genoeg.',
    optional: 'Met een tweede factor is een gestolen wachtwoord niet genoeg.',
    scan: 'Scan deze code met een authenticator-app, of typ de sleutel over.',
    onThisDevice: 'Open de app op dit apparaat',
    qr: 'De sleutel als code voor een authenticator-app',
    key: 'Sleutel',
    code: 'Code die de app toont',
    button: 'Bevestigen',
    wrong: 'Deze code klopt niet. Kijk of de klok van uw telefoon goed staat.',
    doneTitle: 'Bewaar uw herstelcodes',
    doneText:
      'Elke code vervangt uw telefoon één keer. Ze worden alleen nu getoond. Bewaar ze niet bij uw wachtwoord.',
    goOn: 'Ik heb ze opgeslagen',
  },
  attempts: {
    title: 'Te veel pogingen',
    wait(minutes) {
      const time =
        minutes > hoursFrom ? `${hours(minutes)} uur` : `${minutes} ${minutes === 1 ? 'minuut' : 'minuten'}`;
      return `Wacht ${time} en probeer het opnieuw. Een passkey, of een browser waarin u zich eerder heeft aangemeld, werkt misschien meteen.`;
    },
  },
};

/** The texts until somebody is signed in: password, code, links, the second factor, and too many attempts. */
export const signInTexts: Record<Language, typeof en> = { en, nl };
