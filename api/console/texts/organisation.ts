import type { Language } from '#contract/enums.ts';

const en = {
  title: 'Organisation',
  intro:
    'What your end users see, who decides, and how long pictures are kept. Each change is written in the log.',
  onlyOwner: 'Only an owner can change this.',
  paused: 'The operator has paused your organisation: it can start no verification. What is open goes on.',
  lacksFourEyes:
    'Two members must agree on a decision, but today no two can: nobody is the second of somebody who invited them, reset them or gave them a role within the last 30 days, and both must be owner or reviewer. Reviews wait until two can. Ask the operator for a link for one more member.',
  shown: 'What end users see',
  shownText:
    'Before you work in live, give the purpose, the contact and the privacy statement. The law asks for them.',
  rules: 'Who decides, and what is kept',
  notSet: 'not set',
  yes: 'yes',
  no: 'no',
  days: (days: string) => `${days} days`,
  names: {
    displayName: 'Name that end users read',
    purpose: 'Purpose',
    contact: 'Contact',
    privacyUrl: 'Privacy statement',
    colour: 'Colour',
    returnUrl: 'Address to return to',
    languages: 'Languages of the pages',
    offersOtherWay: 'Another way than a photo of the face',
    decisions: 'Who decides on documents in live',
    reviewEyes: 'Members who must agree on a decision',
    evidenceDays: 'Days that pictures are kept at most',
    coverPortrait: 'Cover the photo on a copy that nobody has to assess',
    eraseByKey: 'Live keys may erase personal data',
  },
  hints: {
    displayName: 'In one line. If it is empty, they read the name by which the operator knows you.',
    purpose: 'Why you ask, in one line. The end user reads it before the consent.',
    contact: 'Where the end user can ask something, in one line.',
    privacyUrl: 'An https address.',
    colour: 'Such as #0a5c8a. Every colour can be read: the text on it and the shade of links are computed.',
    returnUrl:
      'The last page leads back to it, with verification_id. An https address; in sandbox also http on your own computer.',
    languages: '',
    offersOtherWay: 'The verification then ends in review.',
    decisions: '',
    reviewEyes: '',
    evidenceDays: 'Counted from Send: 7 to 365. Some cases always go to people, who need some days.',
    coverPortrait: 'It is then stored apart. A member who has to decide always sees it.',
    eraseByKey: 'Software that creates verifications can then also erase them.',
  },
  languages: { 'nl,en': 'Dutch and English, as each person chooses', nl: 'Dutch', en: 'English' },
  decisions: {
    people: 'People decide; a computer only advises',
    machine_may_reject: 'A computer may reject what is certain',
    machine_may_decide: 'A computer may also approve documents',
  },
  decisionsWarning:
    'Check first whether the law lets a computer decide about your end users (GDPR, article 22).',
  eyes: { 1: '1 member', 2: '2 members, who do not see each other’s choice' },
  faults: {
    displayName: 'Give one line of at most 200 characters.',
    purpose: 'Give one line of at most 200 characters.',
    contact: 'Give one line of at most 200 characters.',
    privacyUrl: 'Give an https address.',
    colour: 'Give a colour such as #0a5c8a.',
    returnUrl: 'Give an https address. For sandbox, http on your own computer works too.',
    languages: 'Choose one of the list.',
    offersOtherWay: 'Choose yes or no.',
    decisions: 'Choose one of the list.',
    reviewEyes: 'Choose 1 or 2.',
    evidenceDays: 'Give a whole number from 7 to 365.',
    coverPortrait: 'Choose yes or no.',
    eraseByKey: 'Choose yes or no.',
  },
  logo: {
    title: 'Logo',
    text: 'A PNG, JPEG or WebP of at most 2 MB. It is drawn anew, at 480 by 160 pixels at most.',
    none: 'There is no logo. The pages show a shield.',
    file: 'Picture',
    send: 'Set the logo',
    remove: 'Remove the logo',
    faults: {
      missing: 'Choose a picture of at most 2 MB.',
      not_a_picture: 'The logo must be a PNG, JPEG or WebP.',
      too_large: 'The picture has too many pixels.',
      too_small: 'The picture must be at least 32 by 16 pixels.',
    },
  },
  preview: {
    title: 'Preview',
    text: 'What an end user sees first on a phone, in live, with document and face: as it is stored. Nothing in it can be pressed. To try the pages, create a sandbox verification and open its link.',
    frame: 'The first page that an end user sees',
  },
  contract: {
    title: 'iDIN',
    intro:
      'With a contract with an acquirer for iDIN, your end users can prove who they are at their bank. Without one, your live keys cannot create verifications with the method idin.',
    link: 'Contract for iDIN',
    onlyOwner: 'Only an owner can change this.',
    none: 'There is no contract.',
    simulated:
      'The acquirer is a simulator. It identifies nobody, and every verdict says so. Use it for tests only.',
    certificate: 'Our certificate is valid until',
    changed: 'Set at',
    banks: 'Banks',
    banksAt: 'Named by the acquirer at',
    soonOver: (days: number) =>
      `The certificate is over ${days < 1 ? 'within a day' : days === 1 ? 'in 1 day' : `in ${days} days`}. Ask your acquirer for the steps, and set the contract with a new one.`,
    over: 'The certificate is over, so idin does not work. Set the contract with a new one.',
    set: 'Set a contract',
    replace: 'Replace the contract',
    setText:
      'The file has the addresses of the acquirer, its certificates, and your certificate with its private key, as JSON. It is stored encrypted and is never shown again. The acquirer is asked for its banks first: if it does not answer, nothing is changed.',
    fields:
      'Its fields: merchantId, subId, legalId, directoryUrl, transactionUrl, statusUrl, certificate, privateKey, acquirerCertificates.',
    file: 'File with the contract',
    send: 'Try and set',
    remove: 'Remove the contract',
    removeText:
      'Your end users can then not use their bank. Somebody who is at a bank now has to begin again in another way. The keys cannot be shown or restored.',
    faults: {
      missing: 'Choose a file of at most 2 MB.',
      faulty: 'The file is no contract that can be used:',
      on_loopback: 'The addresses lead to this computer. Give those of your acquirer.',
      over: 'The certificate in the file is over. Nothing was changed.',
      unanswered: (reason: string) =>
        `The acquirer gave no answer that can be used, so nothing was changed (${reason}).`,
    },
  },
};

const nl: typeof en = {
  title: 'Organisatie',
  intro:
    'Wat uw gebruikers zien, wie beslist en hoe lang foto’s worden bewaard. Elke wijziging komt in het logboek.',
  onlyOwner: 'Alleen een eigenaar kan dit wijzigen.',
  paused:
    'De beheerder heeft uw organisatie gepauzeerd: zij kan geen verificatie beginnen. Wat openstaat, gaat door.',
  lacksFourEyes:
    'Twee leden moeten het eens zijn, maar op dit moment kunnen geen twee leden samen beslissen. Beiden moeten eigenaar of beoordelaar zijn, en de een mag de ander in de laatste 30 dagen niet hebben uitgenodigd, en ook niet opnieuw toegang of een rol hebben gegeven. Beoordelingen wachten tot twee leden samen kunnen beslissen: vraag de beheerder om een link voor nog een lid.',
  shown: 'Wat gebruikers zien',
  shownText: 'Vul het doel, het contact en de privacyverklaring in voordat u live werkt. De wet vraagt erom.',
  rules: 'Wie beslist, en wat wordt bewaard',
  notSet: 'niet ingevuld',
  yes: 'ja',
  no: 'nee',
  days: (days) => `${days} dagen`,
  names: {
    displayName: 'Naam die gebruikers zien',
    purpose: 'Doel',
    contact: 'Contact',
    privacyUrl: 'Privacyverklaring',
    colour: 'Kleur',
    returnUrl: 'Adres van de terugknop',
    languages: 'Talen van de pagina’s',
    offersOtherWay: 'Alternatief voor een foto van het gezicht',
    decisions: 'Wie in live over documenten beslist',
    reviewEyes: 'Aantal leden dat het eens moet zijn',
    evidenceDays: 'Maximale bewaartijd van foto’s, in dagen',
    coverPortrait: 'De foto afdekken op een kopie die niemand hoeft te beoordelen',
    eraseByKey: 'Live-sleutels mogen persoonsgegevens wissen',
  },
  hints: {
    displayName: 'In één regel. Is deze leeg, dan zien zij de naam waaronder de beheerder u kent.',
    purpose: 'Waarom u dit vraagt, in één regel. De gebruiker ziet dit vóór de toestemming.',
    contact: 'Waar de gebruiker iets kan vragen, in één regel.',
    privacyUrl: 'Een https-adres.',
    colour: 'Zoals #0a5c8a. Elke kleur is leesbaar: de tekst erop en de tint van links worden berekend.',
    returnUrl:
      'De laatste pagina gaat ernaar terug, met verification_id. Een https-adres; in de sandbox ook http op uw eigen computer.',
    languages: '',
    offersOtherWay: 'De verificatie gaat dan naar beoordeling.',
    decisions: '',
    reviewEyes: '',
    evidenceDays:
      '7 tot 365 dagen, geteld vanaf het versturen. Sommige verificaties worden altijd door medewerkers beoordeeld, en dat kost enkele dagen.',
    coverPortrait: 'De foto wordt dan apart bewaard. Een lid dat moet beslissen, ziet de foto altijd.',
    eraseByKey: 'Software die verificaties maakt, kan ze dan ook wissen.',
  },
  languages: { 'nl,en': 'Nederlands en Engels, naar keuze van de gebruiker', nl: 'Nederlands', en: 'Engels' },
  decisions: {
    people: 'Medewerkers beslissen; een computer geeft alleen advies',
    machine_may_reject: 'Een computer mag afwijzen wat zeker is',
    machine_may_decide: 'Een computer mag documenten ook goedkeuren',
  },
  decisionsWarning:
    'Ga eerst na of een computer volgens de wet over uw gebruikers mag beslissen (AVG, artikel 22).',
  eyes: { 1: '1 lid', 2: '2 leden, die elkaars keuze niet zien' },
  faults: {
    displayName: 'Vul één regel van hoogstens 200 tekens in.',
    purpose: 'Vul één regel van hoogstens 200 tekens in.',
    contact: 'Vul één regel van hoogstens 200 tekens in.',
    privacyUrl: 'Vul een https-adres in.',
    colour: 'Vul een kleur in, zoals #0a5c8a.',
    returnUrl: 'Vul een https-adres in. Voor de sandbox werkt ook http op uw eigen computer.',
    languages: 'Kies er een uit de lijst.',
    offersOtherWay: 'Kies ja of nee.',
    decisions: 'Kies er een uit de lijst.',
    reviewEyes: 'Kies 1 of 2.',
    evidenceDays: 'Vul een geheel getal van 7 tot 365 in.',
    coverPortrait: 'Kies ja of nee.',
    eraseByKey: 'Kies ja of nee.',
  },
  logo: {
    title: 'Logo',
    text: 'Een PNG, JPEG of WebP van hoogstens 2 MB. Het wordt opgeslagen als nieuwe afbeelding van hoogstens 480 bij 160 pixels.',
    none: 'Er is geen logo. De pagina’s tonen een schild.',
    file: 'Afbeelding',
    send: 'Logo instellen',
    remove: 'Logo verwijderen',
    faults: {
      missing: 'Kies een afbeelding van hoogstens 2 MB.',
      not_a_picture: 'Het logo moet een PNG, JPEG of WebP zijn.',
      too_large: 'De afbeelding heeft te veel pixels.',
      too_small: 'De afbeelding moet minstens 32 bij 16 pixels zijn.',
    },
  },
  preview: {
    title: 'Voorbeeld',
    text: 'Wat een gebruiker in live als eerste ziet op een telefoon, met document en gezicht: zoals het is opgeslagen. De knoppen en links werken hier niet. Maak een sandboxverificatie en open de link om de pagina’s te proberen.',
    frame: 'De eerste pagina die een gebruiker ziet',
  },
  contract: {
    title: 'iDIN',
    intro:
      'Met een contract met een acquirer voor iDIN kunnen uw gebruikers bij hun bank laten zien wie zij zijn. Zonder contract kunnen uw live-sleutels geen verificaties met de methode idin maken.',
    link: 'Contract voor iDIN',
    onlyOwner: 'Alleen een eigenaar kan dit wijzigen.',
    none: 'Er is geen contract.',
    simulated:
      'De acquirer is een simulator. Die identificeert niemand, en dat staat bij elk oordeel. Gebruik hem alleen om te testen.',
    certificate: 'Ons certificaat is geldig tot',
    changed: 'Ingesteld op',
    banks: 'Banken',
    banksAt: 'Door de acquirer genoemd op',
    soonOver: (days) =>
      `Het certificaat verloopt ${days < 1 ? 'binnen een dag' : days === 1 ? 'over 1 dag' : `over ${days} dagen`}. Vraag uw acquirer wat u moet doen, en stel het contract in met een nieuw certificaat.`,
    over: 'Het certificaat is verlopen, dus idin werkt niet. Stel het contract in met een nieuw certificaat.',
    set: 'Een contract instellen',
    replace: 'Het contract vervangen',
    setText:
      'Het bestand bevat de adressen van de acquirer, zijn certificaten, en uw certificaat met de privésleutel, als JSON. Het wordt versleuteld opgeslagen en nooit meer getoond. De acquirer wordt eerst om zijn banken gevraagd: geeft hij geen antwoord, dan wordt er niets gewijzigd.',
    fields:
      'De velden: merchantId, subId, legalId, directoryUrl, transactionUrl, statusUrl, certificate, privateKey, acquirerCertificates.',
    file: 'Bestand met het contract',
    send: 'Proberen en instellen',
    remove: 'Het contract verwijderen',
    removeText:
      'Uw gebruikers kunnen dan niet meer naar hun bank. Wie nu bij een bank is, moet op een andere manier opnieuw beginnen. De sleutels kunnen niet worden getoond of teruggehaald.',
    faults: {
      missing: 'Kies een bestand van hoogstens 2 MB.',
      faulty: 'Het bestand is geen bruikbaar contract:',
      on_loopback: 'De adressen leiden naar deze computer. Vul die van uw acquirer in.',
      over: 'Het certificaat in het bestand is verlopen. Er is niets gewijzigd.',
      unanswered: (reason) =>
        `De acquirer gaf geen bruikbaar antwoord, dus er is niets gewijzigd (${reason}).`,
    },
  },
};

export const organisationTexts: Record<Language, typeof en> = { en, nl };
