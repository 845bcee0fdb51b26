import type { ConsentItem, DecisionRule, Language, Method } from '#contract/enums.ts';
import type { Link } from '#services/flow/find-link.ts';
import type { Aim } from '../aim.ts';

type Kept = Link['kept'];

type Texts = {
  title: string;
  asks(organisation: string): string;
  /** The title, and what is asked, of an income check. */
  income: { title: string; asks(organisation: string): string };
  needs: Record<ConsentItem | 'camera', { text: string; hint?: string }>;
  minutes: Record<Method, string>;
  /** The names of what the organisation says about itself. */
  about: {
    purpose: string;
    contact: string;
    privacy: string;
    privacyLink: (organisation: string) => string;
  };
  /** What is kept, in three lines. */
  brief: {
    title: string;
    pictures(kept: Kept): string;
    noPictures: string;
    papers(kept: Kept): string;
    noPapers: string;
    result(kept: Kept, organisation: string): string;
    covered: string;
    coveredPapers: string;
    use: Record<Aim, (organisation: string) => string>;
  };
  privacyTitle: string;
  use: Record<Method, (organisation: string) => string>;
  decision: Record<DecisionRule, (organisation: string) => string>;
  /** The same of an income check, which no machine approves. */
  papersDecision: Record<DecisionRule, (organisation: string) => string>;
  /** What is covered on the copy of a document. */
  copy(coversPhoto: boolean): string;
  kept: Record<'pictures' | 'noPictures' | 'papers' | 'noPapers', (kept: Kept) => string> & {
    result(kept: Kept): string;
  };
  rights: (organisation: string) => string;
  complaint: string;
  consent: Record<ConsentItem, (organisation: string) => string>;
  agree: string;
  start: string;
  otherWay: { title: string; text(organisation: string): string; button: string };
  onPhone: string;
  onPhoneText: string;
  qr: string;
};

const en: Texts = {
  title: 'Prove who you are',
  asks: (organisation) => `${organisation} asks you to prove your identity.`,
  income: {
    title: 'Show what you earn',
    asks: (organisation) => `${organisation} asks you for documents about your income.`,
  },
  needs: {
    document: {
      text: 'A valid identity document',
      hint: 'Passport, identity card, residence permit or driving licence',
    },
    face: { text: 'A photo of yourself', hint: 'You take it with the camera, and move your head a little' },
    camera: { text: 'A camera', hint: 'The one of your phone is best' },
    bank: { text: 'The app or login of your bank' },
    income: { text: 'Documents about your income, as PDF' },
  },
  minutes: {
    document_liveness: 'About three minutes',
    document_only: 'About two minutes',
    idin: 'About one minute',
    income: 'About three minutes',
  },
  about: {
    purpose: 'Why',
    contact: 'Questions',
    privacy: 'Privacy',
    privacyLink: (organisation) => `Privacy statement of ${organisation}`,
  },
  brief: {
    title: 'What is kept',
    pictures: ({ pictureDays }) => `Your photos: encrypted, and erased after ${pictureDays} days.`,
    noPictures: 'No photos are kept.',
    papers: ({ pictureDays }) => `Your documents: encrypted, and erased after ${pictureDays} days.`,
    noPapers: 'No documents are kept.',
    result: ({ resultYears }, organisation) =>
      `The result: until ${resultYears} years after your relationship with ${organisation} has ended.`,
    covered: 'On the copy of a Dutch document, your citizen service number (BSN) is covered.',
    coveredPapers: 'On what is kept of your documents, your citizen service number (BSN) is covered.',
    use: {
      identity: (organisation) =>
        `Your data are used to establish for ${organisation} who you are, and for nothing else.`,
      income: (organisation) =>
        `Your data are used to establish for ${organisation} what you earn, and for nothing else.`,
    },
  },
  privacyTitle: 'All about your data and your rights',
  use: {
    document_liveness: (organisation) =>
      `A computer reads your document, checks its data, and compares your face with the photo in it. It also looks whether you move before the camera as asked. That is only an indication. A person at ${organisation}, not the computer, judges whether the document is genuine and whether the face is yours. Your photos are used for this only. The pictures of your movements are erased after the checks.`,
    document_only: (organisation) =>
      `A computer reads your document and checks its data. ${organisation}, not the computer, judges whether the document is genuine. Your photos are used for this only.`,
    idin: (organisation) =>
      `Your bank confirms to ${organisation} your name, address, date of birth and gender, and gives a fixed number for you at this organisation. A computer records that your bank confirms this. These data are kept encrypted, as long as the result. We do not see your login.`,
    income: (organisation) =>
      `A computer reads your documents and checks their sums. That is only an indication. A person at ${organisation} looks at the documents, and judges whether they are genuine. Your documents are used for this only.`,
  },
  decision: {
    people: (organisation) => `A person decides for ${organisation}. A computer does not.`,
    machine_may_reject: (organisation) =>
      `A computer may reject your document, for example if it has expired. This page then tells you so, and you can ask ${organisation} that a person looks at it.`,
    machine_may_decide: (organisation) =>
      `A computer may decide about your document. If it rejects the document, this page tells you so, and you can ask ${organisation} that a person looks at it.`,
  },
  papersDecision: {
    people: (organisation) => `A person decides for ${organisation}. A computer does not.`,
    machine_may_reject: (organisation) =>
      `A computer may reject your documents, for example if one was changed after it was made. This page then tells you so, and you can ask ${organisation} that a person looks at it. A computer approves nothing.`,
    machine_may_decide: (organisation) =>
      `A computer may reject your documents, for example if one was changed after it was made. This page then tells you so, and you can ask ${organisation} that a person looks at it. A computer approves nothing.`,
  },
  copy: (coversPhoto) =>
    `After the checks a copy is made of the photos of your document, and these photos are erased. Is your document Dutch? Then your citizen service number (BSN) is covered on the copy. ${coversPhoto ? 'The photo in your document is covered too and kept apart, unless a person has to decide. That person also sees, until the decision,' : 'The photo in your document stays on the copy. If a person has to decide, that person also sees, until the decision,'} what a computer read on your document.`,
  kept: {
    pictures: ({ pictureDays }) =>
      `Your photos and the copy are stored encrypted. They are erased ${pictureDays} days after you send the photos. If you do not send them, they are erased when this link expires, or at once if you stop.`,
    noPictures: () => 'No photos are stored.',
    papers: ({ pictureDays }) =>
      `Your documents are stored encrypted. After the checks, pictures of their pages take their place, on which your citizen service number (BSN) is covered. These are erased ${pictureDays} days after you send the documents. If you do not send them, they are erased when this link expires, or at once if you stop. A digital fingerprint of each document is kept as long as the result, so that nobody can use it a second time.`,
    noPapers: () => 'No documents are stored.',
    result: ({ resultYears, unfinishedDays }) =>
      `The result is kept for ${resultYears} years after your relationship with the organisation that asks has ended. So is the proof that you agreed: the time, your internet address and your browser. If that organisation reports no end, the years begin with the result. If you do not finish, they are erased ${unfinishedDays} days after this link has expired.`,
  },
  rights: (organisation) =>
    `You agree of your own free will, and you can take it back. You can ask ${organisation} to show you your data, to correct or erase them, or to use them less, and you can object.`,
  complaint:
    'You can complain to the data protection authority of your country. In the Netherlands that is the Autoriteit Persoonsgegevens.',
  consent: {
    document: (organisation) =>
      `I agree that photos of my document are used to establish for ${organisation} who I am.`,
    face: (organisation) =>
      `I agree that my face is measured. A photo of my face is compared for ${organisation} with the photo in my document, and with pictures in which I move my head.`,
    bank: (organisation) =>
      `I agree that my bank confirms my name, address, date of birth and gender to establish for ${organisation} who I am.`,
    income: (organisation) =>
      `I agree that my documents are used to establish for ${organisation} what I earn.`,
  },
  agree: 'Do you agree?',
  start: 'Start',
  otherWay: {
    title: 'Rather without a photo of your face?',
    text: (organisation) =>
      `You can ask ${organisation} for another way. Then you stop here: what you have sent is erased, and ${organisation} is told that you ask for another way.`,
    button: 'Ask for another way',
  },
  onPhone: 'Prefer to use your phone?',
  onPhoneText: 'Scan this code with the camera of your phone. You continue there where you left off.',
  qr: 'QR code with the link to this page',
};

const nl: Texts = {
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
    face: { text: 'Een foto van uzelf', hint: 'Die maakt u met de camera, en u beweegt kort uw hoofd' },
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
      `Een computer leest uw document, controleert de gegevens en vergelijkt uw gezicht met de foto erin. De computer kijkt ook of u voor de camera beweegt zoals gevraagd. Dat is alleen een aanwijzing. Of het document echt is en of het gezicht van u is, beoordeelt een medewerker van ${organisation}, niet de computer. Uw foto’s worden alleen hiervoor gebruikt. De beelden van uw bewegingen worden na de controle gewist.`,
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
    `Na de controle wordt van de foto’s van uw document een kopie gemaakt, en deze foto’s worden gewist. Is uw document Nederlands? Dan wordt uw burgerservicenummer (BSN) op de kopie afgedekt. ${coversPhoto ? 'De pasfoto wordt ook afgedekt en apart bewaard, behalve als iemand moet beslissen. Die persoon ziet tot de beslissing ook' : 'De pasfoto blijft op de kopie staan. Moet iemand beslissen, dan ziet die persoon tot de beslissing ook'} wat een computer op uw document heeft gelezen.`,
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
      `Ik ga ermee akkoord dat mijn gezicht wordt gemeten. Een foto van mijn gezicht wordt voor ${organisation} vergeleken met de foto in mijn document, en met beelden waarop ik mijn hoofd beweeg.`,
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
  onPhoneText: 'Scan deze code met de camera van uw telefoon. U gaat daar verder waar u hier bent gebleven.',
  qr: 'QR-code met de link naar deze pagina',
};

export const welcomeTexts: Record<Language, Texts> = { nl, en };
