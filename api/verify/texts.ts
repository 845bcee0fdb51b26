import type { EvidenceKind, Language, Method } from '#contract/enums.ts';
import { pictureFaults } from '#platform/pictures.ts';

/** What can be wrong with what a person pressed or sent. */
export const faults = [
  ...pictureFaults,
  'no_consent',
  'no_picture',
  'too_heavy',
  'still_sending',
  'too_many',
] as const;
export type Fault = (typeof faults)[number];

export type Texts = {
  otherLanguage: string;
  sandbox: string;
  welcome: {
    title: string;
    asks(organisation: string): string;
    need: Record<Method, string>;
    minutes: string;
    privacyTitle: string;
    privacy: Record<Method, (organisation: string) => string>;
    consent: Record<Method, (organisation: string) => string>;
    start: string;
    onPhone: string;
    onPhoneText: string;
    qr: string;
  };
  document: { title: string; which: string; passport: string; card: string; other: string };
  picture: Record<Exclude<EvidenceKind, 'bank'>, { title: string; hint: string }> & {
    choose: string;
    send: string;
    sending: string;
    specimen: string;
    specimenShown: string;
    formats: string;
  };
  bank: { title: string; text: string; confirm: string };
  confirm: {
    title: string;
    text: string;
    received: Record<EvidenceKind, string>;
    again: string;
    send: string;
  };
  checking: { title: string; text: string };
  done: { title: string; text: string };
  expired: { title: string; text(organisation: string): string };
  noBank: { title: string; text(organisation: string): string };
  unknown: { title: string; text: string };
  trouble: { title: string; tooOften: string; away: string; other: string; back: string };
  wrong: string;
  faults: Record<Fault, string>;
};

const nl: Texts = {
  otherLanguage: 'English',
  sandbox: 'Testomgeving. Gebruik hier geen echte documenten; beelden worden niet bewaard.',
  welcome: {
    title: 'Bewijs wie u bent',
    asks: (organisation) => `${organisation} vraagt u om uw identiteit te bewijzen.`,
    need: {
      document_liveness:
        'U heeft een geldig identiteitsdocument nodig, en een camera voor een foto van uzelf.',
      document_only: 'U heeft een geldig identiteitsdocument en een camera nodig.',
      idin: 'U heeft de app of inloggegevens van uw bank nodig.',
    },
    minutes: 'Het duurt ongeveer drie minuten.',
    privacyTitle: 'Wat er met uw gegevens gebeurt',
    privacy: {
      document_liveness: (organisation) =>
        `De computer leest uw document. Of het echt is en of u het bent, ziet hij niet: wat daaruit volgt bepaalt ${organisation}. Uw foto’s worden versleuteld bewaard, alleen hiervoor gebruikt, en na 30 dagen gewist, ook als u niets verstuurt.`,
      document_only: (organisation) =>
        `De computer leest uw document. Of het echt is, ziet hij niet: wat daaruit volgt bepaalt ${organisation}. Uw foto’s worden versleuteld bewaard, alleen hiervoor gebruikt, en na 30 dagen gewist, ook als u niets verstuurt.`,
      idin: () => 'Uw bank bevestigt wie u bent. Wij zien uw inloggegevens niet.',
    },
    consent: {
      document_liveness: (organisation) =>
        `Ik ga ermee akkoord dat foto’s van mijn document en van mijn gezicht worden gebruikt om voor ${organisation} vast te stellen wie ik ben.`,
      document_only: (organisation) =>
        `Ik ga ermee akkoord dat foto’s van mijn document worden gebruikt om voor ${organisation} vast te stellen wie ik ben.`,
      idin: (organisation) =>
        `Ik ga ermee akkoord dat mijn bank mijn gegevens bevestigt om voor ${organisation} vast te stellen wie ik ben.`,
    },
    start: 'Beginnen',
    onPhone: 'Liever op uw telefoon?',
    onPhoneText:
      'Scan deze code met de camera van uw telefoon. U gaat daar verder waar u hier bent gebleven.',
    qr: 'QR-code met de link naar deze pagina',
  },
  document: {
    title: 'Uw document',
    which: 'Welk document laat u zien?',
    passport: 'Paspoort',
    card: 'Identiteitskaart, verblijfsdocument of rijbewijs',
    other: 'Een ander document',
  },
  picture: {
    passport_page: {
      title: 'Foto van uw paspoort',
      hint: 'De hele bladzijde met uw foto, met de twee regels onderaan. Leg het plat, zonder schittering.',
    },
    card_front: {
      title: 'Foto van de voorkant',
      hint: 'De hele kant met uw foto. Leg de kaart plat, zonder schittering.',
    },
    card_back: {
      title: 'Foto van de achterkant',
      hint: 'De hele achterkant, met alle regels. Leg de kaart plat, zonder schittering.',
    },
    selfie: {
      title: 'Foto van uzelf',
      hint: 'Kijk recht in de camera, zonder zonnebril of pet, met licht van voren.',
    },
    choose: 'Maak of kies een foto',
    send: 'Deze foto gebruiken',
    sending: 'Bezig met versturen…',
    specimen: 'Gebruik het voorbeeld',
    specimenShown: 'Voorbeeld',
    formats: 'JPEG, PNG of WebP, hoogstens 12 MB.',
  },
  bank: {
    title: 'Uw bank',
    text: 'In de testomgeving staat een voorbeeldbank klaar in plaats van die van u.',
    confirm: 'Bevestigen bij de voorbeeldbank',
  },
  confirm: {
    title: 'Klopt alles?',
    text: 'Dit heeft u klaargezet. Na het versturen kunt u het niet meer veranderen.',
    received: {
      passport_page: 'Paspoort',
      card_front: 'Voorkant van het document',
      card_back: 'Achterkant van het document',
      selfie: 'Foto van uzelf',
      bank: 'Bevestiging van de voorbeeldbank',
    },
    again: 'Opnieuw',
    send: 'Versturen',
  },
  checking: {
    title: 'Bedankt, alles is verstuurd',
    text: 'Wij controleren uw gegevens. U kunt deze pagina sluiten.',
  },
  done: {
    title: 'Klaar',
    text: 'Deze verificatie is afgerond. U kunt deze pagina sluiten; wie u de link stuurde krijgt bericht.',
  },
  expired: {
    title: 'Deze link is verlopen',
    text: (organisation) => `Vraag ${organisation} om een nieuwe link.`,
  },
  noBank: {
    title: 'Dit kan hier nog niet',
    text: (organisation) =>
      `Identificatie via uw bank is bij deze dienst niet aangesloten. Vraag ${organisation} om een andere manier.`,
  },
  unknown: {
    title: 'Deze link kennen wij niet',
    text: 'Controleer of de link volledig is overgenomen, of vraag een nieuwe aan wie hem u stuurde.',
  },
  trouble: {
    title: 'Dat lukte niet',
    tooOften: 'Er is te vaak achter elkaar op een knop gedrukt. Wacht een minuut en probeer het opnieuw.',
    away: 'De dienst is even niet bereikbaar. Wat u al had klaargezet is bewaard; probeer het zo opnieuw.',
    other: 'Wat er werd verstuurd kon niet worden verwerkt. Er is niets veranderd.',
    back: 'Terug naar de verificatie',
  },
  wrong: 'Er klopt iets niet',
  faults: {
    no_consent: 'Vink eerst het vakje aan om akkoord te gaan.',
    no_picture: 'Kies eerst een foto.',
    too_heavy: 'Dit bestand is groter dan 12 MB. Kies een kleinere foto.',
    still_sending: 'Uw foto wordt nog ontvangen. Wacht even.',
    too_many: 'Er zijn voor deze link te veel foto’s verstuurd. Vraag om een nieuwe link.',
    not_a_picture: 'Dit bestand is geen foto die wij kunnen lezen. Gebruik JPEG, PNG of WebP.',
    too_large: 'Deze foto heeft te veel beeldpunten. Kies een kleinere.',
    too_small: 'Deze foto is te klein om te lezen. Maak hem van dichterbij of met een betere camera.',
    too_dark: 'Deze foto is te donker. Zorg voor meer licht.',
    blurred: 'Deze foto is onscherp. Houd de camera stil en wacht tot het beeld scherp is.',
    glare: 'Er zit schittering op het document. Kantel het een beetje of doe de lamp uit.',
  },
};

const en: Texts = {
  otherLanguage: 'Nederlands',
  sandbox: 'Test environment. Use no real documents here; pictures are not kept.',
  welcome: {
    title: 'Prove who you are',
    asks: (organisation) => `${organisation} asks you to prove your identity.`,
    need: {
      document_liveness: 'You need a valid identity document, and a camera for a photo of yourself.',
      document_only: 'You need a valid identity document and a camera.',
      idin: 'You need the app or login of your bank.',
    },
    minutes: 'It takes about three minutes.',
    privacyTitle: 'What happens to your data',
    privacy: {
      document_liveness: (organisation) =>
        `The computer reads your document. It does not see whether the document is genuine or whether it is yours: what follows from that is for ${organisation} to decide. Your photos are stored encrypted, used for this only, and erased after 30 days, also if you send nothing.`,
      document_only: (organisation) =>
        `The computer reads your document. It does not see whether the document is genuine: what follows from that is for ${organisation} to decide. Your photos are stored encrypted, used for this only, and erased after 30 days, also if you send nothing.`,
      idin: () => 'Your bank confirms who you are. We do not see your login.',
    },
    consent: {
      document_liveness: (organisation) =>
        `I agree that photos of my document and of my face are used to establish for ${organisation} who I am.`,
      document_only: (organisation) =>
        `I agree that photos of my document are used to establish for ${organisation} who I am.`,
      idin: (organisation) =>
        `I agree that my bank confirms my data to establish for ${organisation} who I am.`,
    },
    start: 'Start',
    onPhone: 'Prefer to use your phone?',
    onPhoneText: 'Scan this code with the camera of your phone. You continue there where you left off.',
    qr: 'QR code with the link to this page',
  },
  document: {
    title: 'Your document',
    which: 'Which document do you show?',
    passport: 'Passport',
    card: 'Identity card, residence permit or driving licence',
    other: 'Another document',
  },
  picture: {
    passport_page: {
      title: 'Photo of your passport',
      hint: 'The whole page with your photo, with the two lines at the bottom. Lay it flat, without glare.',
    },
    card_front: {
      title: 'Photo of the front',
      hint: 'The whole side with your photo. Lay the card flat, without glare.',
    },
    card_back: {
      title: 'Photo of the back',
      hint: 'The whole back, with all its lines. Lay the card flat, without glare.',
    },
    selfie: {
      title: 'Photo of yourself',
      hint: 'Look straight into the camera, without sunglasses or a cap, with light from the front.',
    },
    choose: 'Take or choose a photo',
    send: 'Use this photo',
    sending: 'Sending…',
    specimen: 'Use the specimen',
    specimenShown: 'Specimen',
    formats: 'JPEG, PNG or WebP, at most 12 MB.',
  },
  bank: {
    title: 'Your bank',
    text: 'In the test environment a specimen bank stands in for yours.',
    confirm: 'Confirm at the specimen bank',
  },
  confirm: {
    title: 'Is everything right?',
    text: 'This is what you have prepared. Once sent it cannot be changed.',
    received: {
      passport_page: 'Passport',
      card_front: 'Front of the document',
      card_back: 'Back of the document',
      selfie: 'Photo of yourself',
      bank: 'Confirmation of the specimen bank',
    },
    again: 'Again',
    send: 'Send',
  },
  checking: {
    title: 'Thank you, everything has been sent',
    text: 'We are checking your data. You can close this page.',
  },
  done: {
    title: 'Done',
    text: 'This verification is complete. You can close this page; whoever sent you the link is told.',
  },
  expired: {
    title: 'This link has expired',
    text: (organisation) => `Ask ${organisation} for a new link.`,
  },
  noBank: {
    title: 'This is not possible here yet',
    text: (organisation) =>
      `Identification by your bank is not connected to this service. Ask ${organisation} for another way.`,
  },
  unknown: {
    title: 'We do not know this link',
    text: 'Check that the link was copied in full, or ask whoever sent it for a new one.',
  },
  trouble: {
    title: 'That did not work',
    tooOften: 'A button was pressed too often in a row. Wait a minute and try again.',
    away: 'The service cannot be reached just now. What you had prepared is kept; try again in a moment.',
    other: 'What was sent could not be processed. Nothing has changed.',
    back: 'Back to the verification',
  },
  wrong: 'Something is not right',
  faults: {
    no_consent: 'Tick the box to agree first.',
    no_picture: 'Choose a photo first.',
    too_heavy: 'This file is larger than 12 MB. Choose a smaller photo.',
    still_sending: 'Your photo is still being received. Wait a moment.',
    too_many: 'Too many photos were sent for this link. Ask for a new link.',
    not_a_picture: 'This file is not a photo we can read. Use JPEG, PNG or WebP.',
    too_large: 'This photo has too many pixels. Choose a smaller one.',
    too_small: 'This photo is too small to read. Move closer or use a better camera.',
    too_dark: 'This photo is too dark. Find more light.',
    blurred: 'This photo is blurred. Hold the camera still and wait until the picture is sharp.',
    glare: 'There is glare on the document. Tilt it a little or switch off the lamp.',
  },
};

export const texts: Record<Language, Texts> = { nl, en };
