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
    about: {
      purpose: 'Waarom',
      contact: 'Vragen',
      privacy: 'Privacy',
      privacyLink: (organisation) => `Privacyverklaring van ${organisation}`,
    },
    privacyTitle: 'Wat er met uw gegevens gebeurt, en uw rechten',
    use: {
      document_liveness: (organisation) =>
        `Een computer leest uw document en controleert de gegevens. Hij ziet niet of het document echt is, en hij bepaalt niet of het gezicht van u is: dat doet een mens van ${organisation}. Uw foto’s worden alleen hiervoor gebruikt.`,
      document_only: (organisation) =>
        `Een computer leest uw document en controleert de gegevens. Hij ziet niet of het document echt is: dat beoordeelt ${organisation}. Uw foto’s worden alleen hiervoor gebruikt.`,
      idin: (organisation) =>
        `Uw bank bevestigt aan ${organisation} wie u bent. Wij zien uw inloggegevens niet.`,
    },
    decision: {
      people: (organisation) => `Een mens beslist voor ${organisation}. Een computer doet dat niet.`,
      machine_may_reject: (organisation) =>
        `Een computer mag uw document afwijzen, bijvoorbeeld als het verlopen is. Deze pagina zegt u dat dan, en u kunt ${organisation} om een mens vragen.`,
      machine_may_decide: (organisation) =>
        `Een computer mag over uw document beslissen. Wijst hij het af, dan zegt deze pagina u dat, en u kunt ${organisation} om een mens vragen.`,
    },
    copy: (coversPhoto) =>
      `Na de controle wordt van de foto’s van uw document een kopie gemaakt, en deze foto’s worden gewist. Is uw document Nederlands? Dan wordt uw burgerservicenummer (BSN) op de kopie afgedekt. ${coversPhoto ? 'De pasfoto wordt ook afgedekt. Die wordt apart en versleuteld bewaard.' : 'De pasfoto blijft op de kopie staan.'}`,
    kept: {
      pictures: ({ pictureDays }) =>
        `Uw foto’s en de kopie worden versleuteld bewaard. Ze worden ${pictureDays} dagen na het versturen gewist. Verstuurt u uw foto’s niet, dan worden ze gewist als deze link verloopt, of meteen als u stopt.`,
      noPictures: () => 'Er worden geen foto’s bewaard.',
      result: ({ resultYears, unfinishedDays }) =>
        `Het resultaat, en het bewijs dat u akkoord bent gegaan (de tijd, uw internetadres en uw browser), worden bewaard tot ${resultYears} jaar na het einde van uw relatie met de organisatie die erom vraagt. Meldt die organisatie geen einde, dan beginnen de jaren bij het resultaat. Maakt u het niet af, dan worden ze ${unfinishedDays} dagen nadat deze link is verlopen gewist.`,
    },
    rights: (organisation) =>
      `U gaat vrijwillig akkoord, en u kunt dat intrekken. U kunt ${organisation} vragen om uw gegevens te laten zien, te verbeteren, te wissen of minder te gebruiken, en u kunt bezwaar maken.`,
    complaint:
      'U kunt een klacht indienen bij de privacytoezichthouder van uw land. In Nederland is dat de Autoriteit Persoonsgegevens.',
    consent: {
      document: (organisation) =>
        `Ik ga ermee akkoord dat foto’s van mijn document worden gebruikt om voor ${organisation} vast te stellen wie ik ben.`,
      face: (organisation) =>
        `Ik ga ermee akkoord dat mijn gezicht wordt gemeten: ${organisation} vergelijkt een foto van mijn gezicht met de foto in mijn document.`,
      bank: (organisation) =>
        `Ik ga ermee akkoord dat mijn bank mijn gegevens bevestigt om voor ${organisation} vast te stellen wie ik ben.`,
    },
    start: 'Beginnen',
    otherWay: {
      title: 'Liever geen foto van uw gezicht?',
      text: (organisation) =>
        `U kunt ${organisation} om een andere manier vragen. Dan stopt u hier: wat u heeft verstuurd wordt gewist, en ${organisation} krijgt bericht dat u om een andere manier vraagt.`,
      button: 'Om een andere manier vragen',
    },
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
    byMachine: {
      title: 'Afgewezen door een computer',
      text: 'Een computer heeft afgewezen wat u heeft verstuurd. Geen mens heeft ernaar gekeken.',
      person: (organisation) =>
        `Bent u het er niet mee eens? U kunt ${organisation} vragen dat een mens ernaar kijkt, en u kunt vertellen wat u ervan vindt.`,
    },
    otherWay: {
      title: 'U heeft om een andere manier gevraagd',
      text: (organisation) =>
        `Wat u had verstuurd is gewist. ${organisation} heeft bericht gekregen. U kunt deze pagina sluiten.`,
    },
    contact: (contact) => `Contact: ${contact}`,
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
    no_consent: 'U kunt alleen beginnen als u akkoord gaat: vink eerst elk vakje aan.',
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
