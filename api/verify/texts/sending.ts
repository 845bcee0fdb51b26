import type { EvidenceKind, Language } from '#contract/enums.ts';
import type { Link } from '#services/flow/find-link.ts';
import type { Stage } from '../../pages/components.ts';

type Texts = {
  confirm: {
    title: string;
    text: string;
    received: Record<EvidenceKind, string>;
    again: string;
    /** What enlarges a picture, and what makes it small again. */
    larger: string;
    smaller: string;
    send: string;
  };
  checking: {
    title: string;
    text: string;
    names: Record<'arrived' | 'readingPapers' | Link['stage'], string>;
    states: Record<Stage['state'], string>;
    /** How long it still takes. */
    wait(wait: Link['wait']): string;
    close(organisation: string): string;
    /** Where a machine may decide. */
    sameLink: string;
    again: string;
  };
  done: {
    title: string;
    text: string;
    next(organisation: string): string;
    byMachine: { title: string; text: string; person(organisation: string): string };
    otherWay: { title: string; text(organisation: string): string };
    /** Before the contact. */
    contact: string;
  };
};

const en: Texts = {
  confirm: {
    title: 'Is everything right?',
    text: 'You are about to send this. After sending you cannot change it.',
    received: {
      passport_page: 'Passport',
      card_front: 'Front of the document',
      card_back: 'Back of the document',
      selfie: 'Photo of yourself',
      movements: 'Your movements before the camera',
      bank: 'Confirmation of the example bank',
      papers: 'Documents about your income',
    },
    again: 'Take again',
    larger: 'Enlarge',
    smaller: 'Make smaller',
    send: 'Send',
  },
  checking: {
    title: 'Thank you, everything has been sent',
    text: 'We are now checking your data. This page goes on by itself.',
    names: {
      arrived: 'Everything has arrived',
      reading: 'Your document is read and checked',
      readingPapers: 'Your documents are read and checked',
      deciding: 'The outcome is written down',
    },
    states: { done: 'done', busy: 'busy now', next: 'comes next' },
    wait: (wait) =>
      typeof wait === 'object'
        ? `It is busy: many people sent their document before you. It can take ${wait.minutes} minutes.`
        : {
            seconds: 'This usually takes about ten seconds.',
            half_minute: 'Other people sent their document before you. It can take half a minute.',
            minute: 'Other people sent their document before you. It can take a minute.',
          }[wait],
    close: (organisation) =>
      `You need not wait: you can close this page. ${organisation} is informed, and tells you the outcome.`,
    sameLink: 'If a computer rejects what you sent, this same link tells you so.',
    again: 'See whether it is ready',
  },
  done: {
    title: 'Done',
    text: 'Everything is complete. You need not do anything more.',
    next: (organisation) =>
      `${organisation} is informed, and tells you how it goes on. You can close this page.`,
    byMachine: {
      title: 'Rejected by a computer',
      text: 'A computer rejected what you sent. No person has looked at it.',
      person: (organisation) =>
        `Do you disagree? You can ask ${organisation} that a person looks at it, and you can give your view.`,
    },
    otherWay: {
      title: 'You asked for another way',
      text: (organisation) =>
        `What you sent was erased. ${organisation} is informed. You can close this page.`,
    },
    contact: 'Contact:',
  },
};

const nl: Texts = {
  confirm: {
    title: 'Klopt alles?',
    text: 'Dit gaat u versturen. Na het versturen kunt u het niet meer wijzigen.',
    received: {
      passport_page: 'Paspoort',
      card_front: 'Voorkant van het document',
      card_back: 'Achterkant van het document',
      selfie: 'Foto van uzelf',
      movements: 'Uw bewegingen voor de camera',
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
      deciding: 'De uitkomst wordt vastgelegd',
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
      `U hoeft niet te wachten: u kunt deze pagina sluiten. ${organisation} krijgt bericht en vertelt u de uitkomst.`,
    sameLink: 'Wijst een computer af wat u heeft verstuurd? Dan leest u dat ook via deze link.',
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
    contact: 'Contact:',
  },
};

/** The texts from the last look at what is sent to the end. */
export const sendingTexts: Record<Language, Texts> = { nl, en };
