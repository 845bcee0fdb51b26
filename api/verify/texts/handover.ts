import type { Language } from '#contract/enums.ts';

type Texts = {
  title: string;
  waits: string;
  goOnHere: string;
  following: string;
  phoneAt(name: string): string;
  steps: Record<'welcome' | 'document' | 'card_back' | 'selfie' | 'movements' | 'papers' | 'confirm', string>;
  takeOver: string;
  again: string;
  copy: string;
  copied: string;
  notCopied: string;
  /** The way out of an app that shows the page and gives it no camera. */
  ownBrowser: Record<'title' | 'text' | 'copied', string>;
};

const en: Texts = {
  title: 'Go on with your phone',
  waits: 'This page follows your phone.',
  goOnHere: 'Or go on here',
  following: 'Go on with your phone',
  phoneAt: (name) => `Your phone is at “${name}”.`,
  steps: {
    welcome: 'Start',
    document: 'Your document',
    card_back: 'Back of the document',
    selfie: 'Photo of yourself',
    movements: 'Movements before the camera',
    papers: 'Your documents',
    confirm: 'Look and send',
  },
  takeOver: 'Go on here instead',
  again: 'Show the code again',
  copy: 'Copy the link',
  copied: 'The link is copied. Open it on your phone.',
  notCopied: 'Copying did not work. Select the address above and copy it.',
  ownBrowser: {
    title: 'Open this page in your own browser',
    text: 'Tap the three dots or the share button of this app. Choose “Open in browser”, or the name of your browser. Is that not there? Copy the link, and paste it into your own browser.',
    copied: 'The link is copied. Open your own browser and paste it there.',
  },
};

const nl: Texts = {
  title: 'Ga verder met uw telefoon',
  waits: 'Deze pagina volgt uw telefoon.',
  goOnHere: 'Of ga hier verder',
  following: 'Ga verder met uw telefoon',
  phoneAt: (name) => `Uw telefoon is bij ‘${name}’.`,
  steps: {
    welcome: 'Begin',
    document: 'Uw document',
    card_back: 'Achterkant van het document',
    selfie: 'Foto van uzelf',
    movements: 'Bewegingen voor de camera',
    papers: 'Uw documenten',
    confirm: 'Nakijken en versturen',
  },
  takeOver: 'Toch hier verdergaan',
  again: 'De code nog eens tonen',
  copy: 'Link kopiëren',
  copied: 'De link is gekopieerd. Open hem op uw telefoon.',
  notCopied: 'Kopiëren is niet gelukt. Selecteer het adres hierboven en kopieer het.',
  ownBrowser: {
    title: 'Deze pagina in uw eigen browser openen',
    text: 'Tik op de drie puntjes of de deelknop van deze app. Kies “Openen in browser” of de naam van uw browser. Staat dat er niet bij? Kopieer dan de link en plak die in uw eigen browser.',
    copied: 'De link is gekopieerd. Open uw eigen browser en plak de link daar.',
  },
};

export const handoverTexts: Record<Language, Texts> = { nl, en };
