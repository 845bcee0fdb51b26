import type { Texts } from './text-fields.ts';

export const nl: Texts = {
  otherLanguage: 'English',
  sandbox: 'Testomgeving. Gebruik hier geen echte documenten. Foto’s worden niet bewaard.',
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
    which: 'Welk document wilt u gebruiken?',
    passport: 'Paspoort',
    card: 'Identiteitskaart, verblijfsdocument of rijbewijs',
    other: 'Een ander document',
  },
  picture: {
    passport_page: {
      title: 'Foto van uw paspoort',
      hint: 'Laat de hele bladzijde met uw foto zien, met de twee regels onderaan. Leg het paspoort plat en zorg dat het niet glimt.',
    },
    card_front: {
      title: 'Foto van de voorkant',
      hint: 'Laat de hele kant met uw foto zien. Leg de kaart plat en zorg dat ze niet glimt.',
    },
    card_back: {
      title: 'Foto van de achterkant',
      hint: 'Laat de hele achterkant zien, met alle regels. Leg de kaart plat en zorg dat ze niet glimt.',
    },
    selfie: {
      title: 'Foto van uzelf',
      hint: 'Kijk recht in de camera. Draag geen zonnebril of pet, en zorg voor licht van voren.',
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
    text: 'In de testomgeving gebruikt u een voorbeeldbank in plaats van uw eigen bank.',
    confirm: 'Bevestigen bij de voorbeeldbank',
  },
  confirm: {
    title: 'Klopt alles?',
    text: 'Dit gaat u versturen. Daarna kunt u het niet meer veranderen.',
    received: {
      passport_page: 'Paspoort',
      card_front: 'Voorkant van het document',
      card_back: 'Achterkant van het document',
      selfie: 'Foto van uzelf',
      bank: 'Bevestiging van de voorbeeldbank',
    },
    again: 'Opnieuw maken',
    send: 'Versturen',
  },
  checking: {
    title: 'Bedankt, alles is verstuurd',
    text: 'Wij controleren uw gegevens. U kunt deze pagina sluiten.',
  },
  done: {
    title: 'Klaar',
    text: 'Deze verificatie is afgerond. De afzender van de link krijgt bericht. U kunt deze pagina sluiten.',
  },
  expired: {
    title: 'Deze link is verlopen',
    text: (organisation) => `Vraag ${organisation} om een nieuwe link.`,
  },
  cancelled: {
    byOrganisation: {
      title: 'Deze verificatie is geannuleerd',
      text: (organisation) =>
        `U hoeft niets te doen en kunt deze pagina sluiten. Heeft u een vraag, stel die dan aan ${organisation}.`,
    },
    byPerson: {
      title: 'U bent gestopt',
      text: (organisation) =>
        `Uw foto’s zijn verwijderd en er is niets verstuurd. U kunt deze pagina sluiten. Wilt u opnieuw beginnen of heeft u een vraag over uw gegevens, vraag het dan aan ${organisation}.`,
    },
  },
  stop: {
    title: 'Stoppen en mijn foto’s verwijderen',
    text: (organisation) =>
      `Hiermee trekt u uw toestemming in. Uw foto’s worden meteen verwijderd en deze link werkt niet meer. Om opnieuw te beginnen heeft u een nieuwe link van ${organisation} nodig.`,
    button: 'Stoppen en verwijderen',
  },
  noBank: {
    title: 'Dit kan hier nog niet',
    text: (organisation) =>
      `Deze dienst kan u nog niet identificeren via uw bank. Vraag ${organisation} om een andere manier.`,
  },
  unknown: {
    title: 'Deze link kennen wij niet',
    text: 'Controleer of u de hele link heeft gekopieerd, of vraag de afzender om een nieuwe link.',
  },
  trouble: {
    title: 'Dat lukte niet',
    tooOften: 'Er is te vaak op een knop gedrukt. Wacht een minuut en probeer het opnieuw.',
    away: 'De dienst is nu niet bereikbaar. Wat u al heeft gedaan, is bewaard. Probeer het zo opnieuw.',
    other: 'Wij konden niet verwerken wat u heeft verstuurd. Er is niets veranderd.',
    back: 'Terug naar de verificatie',
  },
  wrong: 'Er klopt iets niet',
  faults: {
    no_consent: 'Vink eerst het vakje aan om akkoord te gaan.',
    no_picture: 'Kies eerst een foto.',
    too_heavy: 'Dit bestand is groter dan 12 MB. Kies een kleinere foto.',
    still_sending: 'Uw foto wordt nog ontvangen. Wacht even.',
    too_many: 'Er zijn te veel foto’s verstuurd via deze link. Vraag om een nieuwe link.',
    not_a_picture: 'Dit bestand is geen foto die wij kunnen lezen. Gebruik JPEG, PNG of WebP.',
    too_large: 'Deze foto heeft te veel beeldpunten. Kies een kleinere.',
    too_small: 'Deze foto is te klein om te lezen. Maak hem van dichterbij of met een betere camera.',
    too_dark: 'Deze foto is te donker. Zorg voor meer licht.',
    blurred: 'Deze foto is onscherp. Houd de camera stil en wacht tot het beeld scherp is.',
    glare: 'Het licht weerspiegelt op het document. Kantel het een beetje of doe de lamp uit.',
  },
};
