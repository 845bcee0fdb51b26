import type { Language } from '#contract/enums.ts';

const en = {
  title: 'Passkeys',
  intro:
    'With a passkey you sign in with your device: your fingerprint, your face or its code. It takes the place of the password and of the second step, and a false page cannot ask for it.',
  count: (count: number) => (count === 0 ? 'You have no passkey.' : `Passkeys: ${count}.`),
  manage: 'Manage passkeys',
  none: 'You have no passkey yet. Add one on each device that you use for this console.',
  notHere:
    'This console has no address at which browsers allow passkeys. An operator can set CONSOLE_URL to an address with a name and https.',
  needsScript:
    'This browser cannot use passkeys here: it is too old, or it runs no scripts. Everything else works.',
  name: 'Name',
  nameHint: 'How you recognise the device, for example "phone" or "blue security key".',
  password: 'Present password',
  add: 'Add a passkey',
  confirmTitle: 'Confirm with your device',
  confirm: 'Your device asks for your fingerprint, your face or its code, and then keeps the passkey.',
  confirmButton: 'Go on with this device',
  made: 'Made',
  lastUsed: 'Last used',
  state: 'State',
  works: 'works',
  blocked: 'blocked: a second device has the same passkey',
  action: 'Action',
  remove: 'Remove',
  signIn: 'Sign in with a passkey',
  cancelled: 'The device did not answer, or you stopped. Nothing was changed. You can try again.',
  faults: {
    name: 'Give a name of at most 60 characters.',
    password: 'This is not your present password.',
    refused:
      'This passkey could not be added. It may be on your list already, or this page was open too long.',
    too_many: 'You have the most passkeys that are possible. Remove one first.',
    wrong: 'This passkey does not open this console. It may have been removed. Use your password.',
    too_old: 'This page was open too long. Press the button again.',
    copied:
      'This passkey is blocked, because two devices have the same one. You are signed out everywhere. Sign in with your password, and tell an owner if you do not know the other device.',
  },
};

const nl: typeof en = {
  title: 'Passkeys',
  intro:
    'Met een passkey meldt u zich aan met uw apparaat: uw vingerafdruk, uw gezicht of de code ervan. De passkey vervangt het wachtwoord en de tweede stap, en een valse pagina kan er niet om vragen.',
  count: (count) => (count === 0 ? 'U hebt geen passkey.' : `Passkeys: ${count}.`),
  manage: 'Passkeys beheren',
  none: 'U hebt nog geen passkey. Voeg er een toe op elk apparaat dat u voor deze console gebruikt.',
  notHere:
    'Deze console heeft geen adres waarop browsers passkeys toestaan. Een beheerder kan CONSOLE_URL zetten op een adres met een naam en https.',
  needsScript:
    'Deze browser kan hier geen passkeys gebruiken: hij is te oud, of voert geen scripts uit. Al het andere werkt.',
  name: 'Naam',
  nameHint: 'Waaraan u het apparaat herkent, bijvoorbeeld "telefoon" of "blauwe beveiligingssleutel".',
  password: 'Huidig wachtwoord',
  add: 'Passkey toevoegen',
  confirmTitle: 'Bevestig met uw apparaat',
  confirm: 'Uw apparaat vraagt om uw vingerafdruk, uw gezicht of de code, en bewaart dan de passkey.',
  confirmButton: 'Verder met dit apparaat',
  made: 'Gemaakt',
  lastUsed: 'Laatst gebruikt',
  state: 'Toestand',
  works: 'werkt',
  blocked: 'geblokkeerd: een tweede apparaat heeft dezelfde passkey',
  action: 'Actie',
  remove: 'Verwijderen',
  signIn: 'Aanmelden met een passkey',
  cancelled:
    'Het apparaat gaf geen antwoord, of u bent gestopt. Er is niets gewijzigd. U kunt het opnieuw proberen.',
  faults: {
    name: 'Geef een naam van hoogstens 60 tekens.',
    password: 'Dit is niet uw huidige wachtwoord.',
    refused:
      'Deze passkey kon niet worden toegevoegd. Misschien staat hij al op uw lijst, of stond deze pagina te lang open.',
    too_many: 'U hebt het grootste aantal passkeys dat mogelijk is. Verwijder er eerst een.',
    wrong: 'Deze passkey opent deze console niet. Misschien is hij verwijderd. Gebruik uw wachtwoord.',
    too_old: 'Deze pagina stond te lang open. Druk nog een keer op de knop.',
    copied:
      'Deze passkey is geblokkeerd, omdat twee apparaten dezelfde hebben. U bent overal afgemeld. Meld u aan met uw wachtwoord, en zeg het een eigenaar als u het andere apparaat niet kent.',
  },
};

export const passkeyTexts: Record<Language, typeof en> = { nl, en };
