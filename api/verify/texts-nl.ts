import type { Texts } from './text-fields.ts';

export const nl: Texts = {
  otherLanguage: 'English',
  sandbox: {
    identity: 'Testomgeving. Gebruik hier geen echte documenten. Foto’s worden niet bewaard.',
    income: 'Testomgeving. Gebruik hier geen echte documenten. Documenten worden niet bewaard.',
  },
  shell: {
    service: 'Verificatiedienst',
    serviceFor: {
      identity: (organisation) => `Deze identiteitscontrole gebeurt in opdracht van ${organisation}.`,
      income: (organisation) => `Deze inkomenscontrole gebeurt in opdracht van ${organisation}.`,
    },
    questions: (contact) => `Vragen? ${contact}`,
    privacy: (organisation) => `Privacyverklaring van ${organisation}`,
    parts: {
      start: 'Begin',
      document: 'Uw document',
      selfie: 'Foto van uzelf',
      bank: 'Uw bank',
      papers: 'Uw documenten',
      send: 'Nakijken en versturen',
    },
    step: ({ current, of, name }) => `Stap ${current} van ${of}: ${name}`,
    back: (organisation) => `Terug naar ${organisation}`,
  },
  welcome: {
    title: 'Bewijs wie u bent',
    asks: (organisation) => `${organisation} vraagt u om uw identiteit te bewijzen.`,
    income: {
      title: 'Laat zien wat u verdient',
      asks: (organisation) => `${organisation} vraagt u om documenten over uw inkomen.`,
    },
    needs: {
      document: {
        text: 'Een geldig identiteitsdocument',
        hint: 'Paspoort, identiteitskaart, verblijfsdocument of rijbewijs',
      },
      face: { text: 'Een foto van uzelf', hint: 'Die maakt u met de camera' },
      camera: { text: 'Een camera', hint: 'Die van uw telefoon is het best' },
      bank: { text: 'De app of inloggegevens van uw bank' },
      income: { text: 'Documenten over uw inkomen, als PDF' },
    },
    minutes: {
      document_liveness: 'Ongeveer drie minuten',
      document_only: 'Ongeveer twee minuten',
      idin: 'Ongeveer één minuut',
      income: 'Ongeveer drie minuten',
    },
    about: {
      purpose: 'Waarom',
      contact: 'Vragen',
      privacy: 'Privacy',
      privacyLink: (organisation) => `Privacyverklaring van ${organisation}`,
    },
    brief: {
      title: 'Wat er wordt bewaard',
      pictures: ({ pictureDays }) => `Uw foto’s: versleuteld, en na ${pictureDays} dagen gewist.`,
      noPictures: 'Er worden geen foto’s bewaard.',
      papers: ({ pictureDays }) => `Uw documenten: versleuteld, en na ${pictureDays} dagen gewist.`,
      noPapers: 'Er worden geen documenten bewaard.',
      result: ({ resultYears }, organisation) =>
        `Het resultaat: tot ${resultYears} jaar na het einde van uw relatie met ${organisation}.`,
      covered: 'Op de kopie van een Nederlands document is uw burgerservicenummer (BSN) afgedekt.',
      coveredPapers: 'Op wat er van uw documenten wordt bewaard, is uw burgerservicenummer (BSN) afgedekt.',
      use: {
        identity: (organisation) =>
          `Uw gegevens dienen om voor ${organisation} vast te stellen wie u bent, en nergens anders voor.`,
        income: (organisation) =>
          `Uw gegevens dienen om voor ${organisation} vast te stellen wat u verdient, en nergens anders voor.`,
      },
    },
    privacyTitle: 'Alles over uw gegevens en uw rechten',
    use: {
      document_liveness: (organisation) =>
        `Een computer leest uw document, controleert de gegevens en vergelijkt uw gezicht met de foto erin. Dat is alleen een aanwijzing. Of het document echt is en of het gezicht van u is, beoordeelt een medewerker van ${organisation}, niet de computer. Uw foto’s worden alleen hiervoor gebruikt.`,
      document_only: (organisation) =>
        `Een computer leest uw document en controleert de gegevens. Of het document echt is, beoordeelt ${organisation}, niet de computer. Uw foto’s worden alleen hiervoor gebruikt.`,
      idin: (organisation) =>
        `Uw bank bevestigt aan ${organisation} uw naam, adres, geboortedatum en geslacht, en geeft een vast nummer voor u bij deze organisatie. Een computer legt vast dat uw bank dit bevestigt. Deze gegevens worden versleuteld bewaard, even lang als het resultaat. Wij zien uw inloggegevens niet.`,
      income: (organisation) =>
        `Een computer leest uw documenten en rekent de bedragen na. Dat is alleen een aanwijzing. Een medewerker van ${organisation} bekijkt de documenten en beoordeelt of ze echt zijn. Uw documenten worden alleen hiervoor gebruikt.`,
    },
    decision: {
      people: (organisation) => `Een medewerker van ${organisation} beslist, niet een computer.`,
      machine_may_reject: (organisation) =>
        `Een computer mag uw document afwijzen, bijvoorbeeld als het verlopen is. U leest dat dan op deze pagina. U kunt ${organisation} vragen of een medewerker ernaar kijkt.`,
      machine_may_decide: (organisation) =>
        `Een computer mag over uw document beslissen. Wordt het afgewezen, dan leest u dat op deze pagina. U kunt ${organisation} vragen of een medewerker ernaar kijkt.`,
    },
    papersDecision: {
      people: (organisation) => `Een medewerker van ${organisation} beslist, niet een computer.`,
      machine_may_reject: (organisation) =>
        `Een computer mag uw documenten afwijzen, bijvoorbeeld als er een later is veranderd. U leest dat dan op deze pagina. U kunt ${organisation} vragen of een medewerker ernaar kijkt. Een computer keurt niets goed.`,
      machine_may_decide: (organisation) =>
        `Een computer mag uw documenten afwijzen, bijvoorbeeld als er een later is veranderd. U leest dat dan op deze pagina. U kunt ${organisation} vragen of een medewerker ernaar kijkt. Een computer keurt niets goed.`,
    },
    copy: (coversPhoto) =>
      `Na de controle wordt van de foto’s van uw document een kopie gemaakt, en deze foto’s worden gewist. Is uw document Nederlands? Dan wordt uw burgerservicenummer (BSN) op de kopie afgedekt. ${coversPhoto ? 'De pasfoto wordt ook afgedekt. Die wordt apart en versleuteld bewaard.' : 'De pasfoto blijft op de kopie staan.'}`,
    kept: {
      pictures: ({ pictureDays }) =>
        `Uw foto’s en de kopie worden versleuteld bewaard. Ze worden ${pictureDays} dagen na het versturen gewist. Verstuurt u uw foto’s niet, dan worden ze gewist als deze link verloopt, of meteen als u stopt.`,
      noPictures: () => 'Er worden geen foto’s bewaard.',
      papers: ({ pictureDays }) =>
        `Uw documenten worden versleuteld bewaard. Na de controle komen er afbeeldingen van de bladzijden voor in de plaats, waarop uw burgerservicenummer (BSN) is afgedekt. Die worden ${pictureDays} dagen na het versturen gewist. Verstuurt u uw documenten niet, dan worden ze gewist als deze link verloopt, of meteen als u stopt. Van elk document wordt een digitale vingerafdruk bewaard, even lang als het resultaat. Zo kan niemand het een tweede keer gebruiken.`,
      noPapers: () => 'Er worden geen documenten bewaard.',
      result: ({ resultYears, unfinishedDays }) =>
        `Het resultaat wordt bewaard tot ${resultYears} jaar na het einde van uw relatie met de organisatie die erom vraagt. Dat geldt ook voor het bewijs dat u akkoord bent gegaan: de tijd, uw internetadres en uw browser. Meldt die organisatie geen einde, dan beginnen de jaren bij het resultaat. Maakt u het niet af, dan worden ze ${unfinishedDays} dagen nadat deze link is verlopen gewist.`,
    },
    rights: (organisation) =>
      `U gaat vrijwillig akkoord, en u kunt dat intrekken. U kunt ${organisation} vragen om uw gegevens te laten zien, te verbeteren, te wissen of minder te gebruiken, en u kunt bezwaar maken.`,
    complaint:
      'U kunt een klacht indienen bij de privacytoezichthouder van uw land. In Nederland is dat de Autoriteit Persoonsgegevens.',
    consent: {
      document: (organisation) =>
        `Ik ga ermee akkoord dat foto’s van mijn document worden gebruikt om voor ${organisation} vast te stellen wie ik ben.`,
      face: (organisation) =>
        `Ik ga ermee akkoord dat mijn gezicht wordt gemeten. ${organisation} vergelijkt een foto van mijn gezicht met de foto in mijn document.`,
      bank: (organisation) =>
        `Ik ga ermee akkoord dat mijn bank mijn naam, adres, geboortedatum en geslacht bevestigt om voor ${organisation} vast te stellen wie ik ben.`,
      income: (organisation) =>
        `Ik ga ermee akkoord dat mijn documenten worden gebruikt om voor ${organisation} vast te stellen wat ik verdien.`,
    },
    agree: 'Gaat u akkoord?',
    start: 'Beginnen',
    otherWay: {
      title: 'Liever zonder foto van uw gezicht?',
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
    kinds: {
      passport: { name: 'Paspoort', hint: 'Eén foto: de bladzijde met uw foto' },
      identity_card: { name: 'Identiteitskaart', hint: 'Twee foto’s: voorkant en achterkant' },
      residence_permit: { name: 'Verblijfsdocument', hint: 'Twee foto’s: voorkant en achterkant' },
      driving_licence: { name: 'Rijbewijs', hint: 'Twee foto’s: voorkant en achterkant' },
    },
    other: 'Een ander document',
  },
  picture: {
    passport_page: {
      title: 'Foto van uw paspoort',
      hint: 'Laat de hele bladzijde met uw foto zien, met de twee regels onderaan. Leg het paspoort plat en zorg dat er geen licht in weerspiegelt.',
    },
    card_front: {
      title: 'Foto van de voorkant',
      hint: 'Laat de hele kant met uw foto zien. Leg de kaart plat en zorg dat er geen licht in weerspiegelt.',
    },
    card_back: {
      title: 'Foto van de achterkant',
      hint: 'Laat de hele achterkant zien, met alle regels. Leg de kaart plat en zorg dat er geen licht in weerspiegelt.',
    },
    selfie: {
      title: 'Foto van uzelf',
      hint: 'Kijk recht in de camera. Draag geen zonnebril of pet, en zorg voor licht van voren.',
    },
    send: 'Deze foto gebruiken',
    sending: 'Bezig met versturen…',
    specimen: 'Gebruik het voorbeeld',
    specimenShown: 'Voorbeeld',
    formats: 'JPEG, PNG of WebP, hoogstens 12 MB.',
    examples: {
      good_document: 'Goed: heel en vlak',
      cut_off: 'Niet goed: er mist een stuk',
      reflection: 'Niet goed: het glimt',
      good_face: 'Goed: het hele gezicht',
      covered_face: 'Niet goed: pet of zonnebril',
      dark_face: 'Niet goed: licht van achteren',
    },
  },
  camera: {
    open: 'Camera openen',
    take: 'Maak een foto',
    choose: 'Kies een foto',
    readable: {
      document: 'Kunt u alles goed lezen?',
      face: 'Is uw hele gezicht scherp en goed verlicht?',
    },
    taken: 'De foto die u maakte of koos',
    retake: 'Een andere maken',
    close: 'Sluiten',
    shutter: 'Maak de foto',
    auto: 'Automatische foto',
    hints: {
      asks: 'Uw browser vraagt of deze pagina de camera mag gebruiken. Kies “Toestaan”.',
      starts: 'De camera start…',
      more_light: 'Er is te weinig licht. Doe een lamp aan of ga bij een raam staan.',
      aim: 'Zorg dat het hele document in het kader past.',
      closer: 'Kom dichterbij.',
      further: 'Ga iets verder weg.',
      straight: 'Houd de camera recht boven het document.',
      glare: 'Het document glimt. Kantel het een beetje.',
      hold_still: 'Houd de camera stil.',
      blur: 'Het beeld is nog niet scherp. Wacht even, of ga iets verder weg.',
      ready: 'Zo is het goed. Maak de foto.',
      hold_for_shot: 'Zo is het goed. Houd stil, de foto wordt gemaakt.',
    },
    faceHints: {
      more_light: 'Er is te weinig licht op uw gezicht. Draai naar een lamp of een raam.',
      aim: 'Kijk in het ovaal.',
      ready: 'Kijk in het ovaal en maak de foto.',
    },
    troubles: {
      absent: 'Wij vinden geen camera op dit apparaat. Kies hieronder een andere manier.',
      busy: 'De camera start niet. Misschien gebruikt een andere app hem. Sluit die app en probeer het opnieuw. Of kies hieronder een andere manier.',
      insecure:
        'Uw browser geeft de camera alleen aan beveiligde pagina’s, en deze pagina is zonder “https” geopend. Kies hieronder een andere manier.',
      unsupported:
        'Deze browser kan de camera hier niet tonen. Dat gebeurt vaak binnen een andere app. Open de link in uw eigen browser, of kies hieronder een andere manier.',
      coarse:
        'Deze camera is niet scherp genoeg om een document te lezen. Gebruik de camera van uw telefoon, of kies hieronder een andere manier.',
      lost: 'De camera is gestopt. Open hem opnieuw, of kies hieronder een andere manier.',
    },
    sending: {
      offline:
        'U heeft geen verbinding. Laat deze pagina open: er gaat niets verloren, en wij versturen het zodra er weer verbinding is.',
      later:
        'De dienst heeft het druk. Laat deze pagina open: er gaat niets verloren, en wij versturen het zo meteen opnieuw.',
      slow: 'Uw verbinding is traag. Laat deze pagina open: er gaat niets verloren, en wij versturen het zo meteen opnieuw.',
    },
  },
  handover: {
    title: 'Ga verder met uw telefoon',
    waits: 'Deze pagina volgt uw telefoon.',
    goOnHere: 'Of ga hier verder',
    following: 'Ga verder met uw telefoon',
    phoneAt: (name) => `Uw telefoon is bij: ${name}.`,
    steps: {
      welcome: 'begin',
      document: 'uw document',
      card_back: 'achterkant van het document',
      selfie: 'foto van uzelf',
      papers: 'uw documenten',
      confirm: 'nakijken en versturen',
    },
    takeOver: 'Toch hier verdergaan',
    again: 'De code nog eens tonen',
    copy: 'Link kopiëren',
    copied: 'De link is gekopieerd. Open hem op uw telefoon.',
    notCopied: 'Kopiëren is niet gelukt. Selecteer het adres hierboven en kopieer het.',
  },
  advice: {
    title: 'Is dit de goede foto?',
    anyway: 'Toch deze foto gebruiken',
    no_document:
      'We zien geen document op deze foto. Leg het document in het midden, zodat het de foto vult.',
    other_document:
      'Dit lijkt een ander soort document dan u koos. Maak een foto van het document dat u koos, of druk op ‘Een ander document’.',
    wrong_side: 'Dit lijkt de andere kant van de kaart. Draai de kaart om en maak de foto opnieuw.',
    same_side:
      'U stuurde deze foto al, voor de andere kant. Draai de kaart om en maak een foto van deze kant.',
    no_zone:
      'We zien de regels met letters, cijfers en het teken < niet. Heeft uw document deze regels? Maak dan een foto waarop ze helemaal en scherp te zien zijn.',
    unreadable:
      'We kunnen de regels met letters, cijfers en het teken < niet goed lezen. Houd de camera stil, dichterbij en recht boven het document, zonder spiegeling.',
    expired:
      'Het document op deze foto lijkt verlopen. Heeft u een ander document dat nog geldig is? Gebruik dan dat document.',
    no_face: 'We zien geen gezicht op deze foto. Kijk recht in de camera, met licht van voren.',
    several_faces: 'We zien meer dan één gezicht op deze foto. Maak een foto waar alleen u op staat.',
  },
  bank: {
    title: 'Uw bank',
    text: 'In de testomgeving gebruikt u een voorbeeldbank in plaats van uw eigen bank.',
    confirm: 'Bevestigen bij de voorbeeldbank',
    which: 'Kies uw bank',
    explained:
      'U gaat zo naar de pagina van uw bank en logt daar in met iDIN. Daarna komt u hier terug. Wij zien uw inloggegevens niet.',
    ends: {
      cancelled: 'U bent gestopt bij uw bank. Er is niets verstuurd. U kunt het opnieuw proberen.',
      expired: 'Het duurde te lang bij uw bank. Er is niets verstuurd. U kunt het opnieuw proberen.',
      failed: 'Het is bij uw bank niet gelukt. U kunt het opnieuw proberen, of een andere bank kiezen.',
      not_begun: 'Uw bank is nu niet bereikbaar. Probeer het zo opnieuw, of kies een andere bank.',
      unanswered:
        'Wij kregen geen antwoord van uw bank. U kunt het opnieuw proberen, of een andere bank kiezen.',
    },
    asking: 'Wij maken de verbinding met uw bank. Deze pagina gaat vanzelf verder.',
    goTitle: (bank) => `Ga naar ${bank}`,
    goText: (bank) => `Log in bij ${bank} en bevestig wie u bent. U heeft daar vijf minuten voor.`,
    goTo: (bank) => `Naar ${bank}`,
    goTrouble: 'Wilt u een andere bank? Stop dan op de pagina van uw bank, of wacht zes minuten.',
    waiting: (bank) => `Wij vragen ${bank} om het antwoord. Deze pagina gaat vanzelf verder.`,
    goBack: (bank) => `Terug naar de pagina van ${bank}`,
  },
  papers: {
    title: 'Uw documenten',
    anyOf: 'Elk van deze documenten is goed. U kunt er ook meer insturen.',
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
      file: 'Kies de PDF zoals u die heeft gedownload. Een foto of scan van een afdruk helpt minder.',
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
  },
  confirm: {
    title: 'Klopt alles?',
    text: 'Dit gaat u versturen. Na het versturen kunt u het niet meer veranderen.',
    received: {
      passport_page: 'Paspoort',
      card_front: 'Voorkant van het document',
      card_back: 'Achterkant van het document',
      selfie: 'Foto van uzelf',
      bank: 'Bevestiging van de voorbeeldbank',
      papers: 'Documenten over uw inkomen',
    },
    again: 'Opnieuw maken',
    larger: 'Vergroten',
    smaller: 'Verkleinen',
    send: 'Versturen',
  },
  checking: {
    title: 'Bedankt, alles is verstuurd',
    text: 'Uw gegevens worden nu gecontroleerd. Deze pagina gaat vanzelf verder.',
    names: {
      arrived: 'Alles is aangekomen',
      reading: 'Uw document wordt gelezen en gecontroleerd',
      readingPapers: 'Uw documenten worden gelezen en gecontroleerd',
      deciding: 'Het resultaat wordt vastgelegd',
    },
    states: { done: 'klaar', busy: 'nu bezig', next: 'komt hierna' },
    wait: (wait) =>
      typeof wait === 'object'
        ? `Het is druk: veel mensen hebben hun document eerder verstuurd. Het kan ${wait.minutes} minuten duren.`
        : {
            seconds: 'Dat duurt meestal ongeveer tien seconden.',
            half_minute:
              'Andere mensen hebben hun document eerder verstuurd. Het kan een halve minuut duren.',
            minute: 'Andere mensen hebben hun document eerder verstuurd. Het kan een minuut duren.',
          }[wait],
    close: (organisation) =>
      `U hoeft niet te wachten: u kunt deze pagina sluiten, en ${organisation} krijgt bericht.`,
    again: 'Kijken of het klaar is',
  },
  done: {
    title: 'Klaar',
    text: 'Alles is afgerond. U hoeft niets meer te doen.',
    next: (organisation) =>
      `${organisation} krijgt bericht en vertelt u hoe het verdergaat. U kunt deze pagina sluiten.`,
    byMachine: {
      title: 'Afgewezen door een computer',
      text: 'Een computer heeft afgewezen wat u heeft verstuurd. Er heeft nog geen medewerker naar gekeken.',
      person: (organisation) =>
        `Bent u het er niet mee eens? U kunt ${organisation} vragen of een medewerker ernaar kijkt, en u kunt vertellen wat u ervan vindt.`,
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
    text: {
      identity:
        'Een link werkt een beperkte tijd. Had u al foto’s gemaakt, dan worden die gewist: er is niets verstuurd.',
      income:
        'Een link werkt een beperkte tijd. Had u al documenten toegevoegd, dan worden die gewist: er is niets verstuurd.',
    },
    ask: (organisation) => `Vraag ${organisation} om een nieuwe link. Dan kunt u opnieuw beginnen.`,
  },
  cancelled: {
    byOrganisation: {
      title: 'Deze aanvraag is geannuleerd',
      text: (organisation) =>
        `U hoeft niets te doen en kunt deze pagina sluiten. Heeft u een vraag, stel die dan aan ${organisation}.`,
    },
    byPerson: {
      title: 'U bent gestopt',
      text: (organisation) =>
        `Uw foto’s zijn verwijderd en er is niets verstuurd. U kunt deze pagina sluiten. Wilt u opnieuw beginnen of heeft u een vraag over uw gegevens, vraag het dan aan ${organisation}.`,
    },
    byPersonWithPapers: {
      title: 'U bent gestopt',
      text: (organisation) =>
        `Uw documenten zijn verwijderd en er is niets verstuurd. U kunt deze pagina sluiten. Wilt u opnieuw beginnen of heeft u een vraag over uw gegevens, vraag het dan aan ${organisation}.`,
    },
    byPersonWithoutPictures: {
      title: 'U bent gestopt',
      text: (organisation) =>
        `Er is niets verstuurd, en van een bezoek aan uw bank wordt niets bewaard. U kunt deze pagina sluiten. Wilt u opnieuw beginnen of heeft u een vraag over uw gegevens, vraag het dan aan ${organisation}.`,
    },
  },
  stop: {
    title: 'Stoppen en mijn foto’s verwijderen',
    text: (organisation) =>
      `Hiermee trekt u uw toestemming in. Uw foto’s worden meteen verwijderd en deze link werkt niet meer. Om opnieuw te beginnen heeft u een nieuwe link van ${organisation} nodig.`,
    button: 'Stoppen en verwijderen',
    papers: {
      title: 'Stoppen en mijn documenten verwijderen',
      text: (organisation) =>
        `Hiermee trekt u uw toestemming in. Uw documenten worden meteen verwijderd en deze link werkt niet meer. Om opnieuw te beginnen heeft u een nieuwe link van ${organisation} nodig.`,
      button: 'Stoppen en verwijderen',
    },
    noPictures: {
      title: 'Stoppen en mijn toestemming intrekken',
      text: (organisation) =>
        `Er is nog niets verstuurd, en van uw bezoek aan een bank wordt niets bewaard. Deze link werkt niet meer. Om opnieuw te beginnen heeft u een nieuwe link van ${organisation} nodig.`,
      button: 'Stoppen',
    },
  },
  noBank: {
    title: 'Dit kan hier nog niet',
    text: (organisation) =>
      `Deze dienst kan u nog niet identificeren via uw bank. Vraag ${organisation} om een andere manier.`,
  },
  unknown: {
    title: 'Deze link kennen wij niet',
    text: 'Controleer of u de hele link heeft gekopieerd.',
    ask: 'Werkt het nog steeds niet? Vraag de organisatie die u de link stuurde om een nieuwe link.',
  },
  trouble: {
    title: 'Dat lukte niet',
    tooOften: 'Er is te vaak op een knop gedrukt. Wacht een minuut en probeer het opnieuw.',
    away: 'De dienst is nu niet bereikbaar. Wat u al heeft gedaan, is bewaard. Probeer het zo opnieuw.',
    other: 'Wij konden niet verwerken wat u heeft verstuurd. Er is niets veranderd.',
    tooSlow:
      'Uw foto of document is niet aangekomen. Uw verbinding is te traag of werd onderbroken. Probeer het opnieuw, als het kan via wifi, of met een kleiner bestand. Wat u al had gedaan, is bewaard.',
    noPage: 'Er is geen pagina op dit adres. Er is niets veranderd.',
    back: 'Terug naar de pagina',
  },
  wrong: 'Er klopt iets niet',
  faults: {
    no_consent: 'U kunt alleen beginnen als u akkoord gaat: vink eerst elk vakje aan.',
    no_picture: 'Kies eerst een foto.',
    no_paper: 'Kies eerst een PDF.',
    too_heavy:
      'Dit bestand is groter dan 12 MB. Maak de foto opnieuw met een lagere resolutie in de instellingen van de camera, of maak er een schermafbeelding van en kies die.',
    still_sending: 'Uw foto wordt nog ontvangen. Wacht even.',
    no_bank: 'Kies eerst uw bank.',
    too_many_visits: 'U bent te vaak naar een bank gegaan via deze link. Vraag om een nieuwe link.',
    too_many: 'Er zijn te veel foto’s verstuurd via deze link. Vraag om een nieuwe link.',
    not_a_pdf:
      'Dit bestand is geen PDF. Kies het document als PDF: een foto of schermafbeelding kan hier niet.',
    same_paper: 'U heeft dit document al toegevoegd. Kies een ander document.',
    too_many_papers: 'U heeft al vijf documenten toegevoegd, en meer kan niet. Verwijder er eerst een.',
    not_a_picture: 'Dit bestand is geen foto die wij kunnen lezen. Gebruik JPEG, PNG of WebP.',
    incomplete:
      'Het einde van deze foto ontbreekt, dus de foto is niet heel. Maak de foto opnieuw, of kies de foto opnieuw waar die is bewaard.',
    too_large:
      'Deze foto heeft meer dan 65 megapixels. Maak de foto opnieuw met een lagere resolutie in de instellingen van de camera, of maak er een schermafbeelding van en kies die.',
    too_small: 'Deze foto is te klein om te lezen. Maak de foto van dichterbij of met een betere camera.',
    too_dark: 'Deze foto is te donker. Zorg voor meer licht.',
    blurred: 'Deze foto is onscherp. Houd de camera stil en wacht tot het beeld scherp is.',
    glare: 'Er weerspiegelt licht in het document. Kantel het een beetje of doe de lamp uit.',
  },
};
