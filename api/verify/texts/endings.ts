import type { Language } from '#contract/enums.ts';
import type { HandedIn } from '../aim.ts';

type Stop = { title: string; text(organisation: string): string; button: string };

type Cancelled = { title: string; text(organisation: string): string };

type Texts = {
  expired: { title: string; text: Record<HandedIn, string>; ask(organisation: string): string };
  cancelled: { byOrganisation: Cancelled; byPerson: Record<HandedIn, Cancelled> };
  stop: Record<HandedIn, Stop>;
  noBank: { title: string; text(organisation: string): string };
};

const en: Texts = {
  expired: {
    title: 'This link has expired',
    text: {
      pictures:
        'A link works for a limited time. If you had taken photos, they are erased: nothing was sent.',
      nothing:
        'A link works for a limited time. Nothing was sent, and nothing is kept of a visit to your bank.',
      papers:
        'A link works for a limited time. If you had added documents, they are erased: nothing was sent.',
    },
    ask: (organisation) => `Ask ${organisation} for a new link. Then you can begin again.`,
  },
  cancelled: {
    byOrganisation: {
      title: 'This request was cancelled',
      text: (organisation) =>
        `You need not do anything, and you can close this page. If you have a question, ask ${organisation}.`,
    },
    byPerson: {
      pictures: {
        title: 'You have stopped',
        text: (organisation) =>
          `Your photos were removed and nothing was sent. You can close this page. If you want to begin again, or have a question about your data, ask ${organisation}.`,
      },
      papers: {
        title: 'You have stopped',
        text: (organisation) =>
          `Your documents were removed and nothing was sent. You can close this page. If you want to begin again, or have a question about your data, ask ${organisation}.`,
      },
      nothing: {
        title: 'You have stopped',
        text: (organisation) =>
          `Nothing was sent, and nothing is kept of a visit to your bank. You can close this page. If you want to begin again, or have a question about your data, ask ${organisation}.`,
      },
    },
  },
  stop: {
    pictures: {
      title: 'Stop and remove my photos',
      text: (organisation) =>
        `This takes back your consent. Your photos are removed at once, and this link stops working. To begin again, you need a new link from ${organisation}.`,
      button: 'Stop and remove',
    },
    papers: {
      title: 'Stop and remove my documents',
      text: (organisation) =>
        `This takes back your consent. Your documents are removed at once, and this link stops working. To begin again, you need a new link from ${organisation}.`,
      button: 'Stop and remove',
    },
    nothing: {
      title: 'Stop and take back my consent',
      text: (organisation) =>
        `Nothing was sent yet, and nothing is kept of your visit to a bank. This link stops working. To begin again, you need a new link from ${organisation}.`,
      button: 'Stop',
    },
  },
  noBank: {
    title: 'This is not possible here yet',
    text: (organisation) =>
      `This service cannot identify you through your bank yet. Ask ${organisation} for another way.`,
  },
};

const nl: Texts = {
  expired: {
    title: 'Deze link is verlopen',
    text: {
      pictures:
        'Een link werkt een beperkte tijd. Had u al foto’s gemaakt, dan worden die gewist: er is niets verstuurd.',
      nothing:
        'Een link werkt een beperkte tijd. Er is niets verstuurd, en van een bezoek aan uw bank wordt niets bewaard.',
      papers:
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
      pictures: {
        title: 'U bent gestopt',
        text: (organisation) =>
          `Uw foto’s zijn verwijderd en er is niets verstuurd. U kunt deze pagina sluiten. Wilt u opnieuw beginnen of heeft u een vraag over uw gegevens, vraag het dan aan ${organisation}.`,
      },
      papers: {
        title: 'U bent gestopt',
        text: (organisation) =>
          `Uw documenten zijn verwijderd en er is niets verstuurd. U kunt deze pagina sluiten. Wilt u opnieuw beginnen of heeft u een vraag over uw gegevens, vraag het dan aan ${organisation}.`,
      },
      nothing: {
        title: 'U bent gestopt',
        text: (organisation) =>
          `Er is niets verstuurd, en van een bezoek aan uw bank wordt niets bewaard. U kunt deze pagina sluiten. Wilt u opnieuw beginnen of heeft u een vraag over uw gegevens, vraag het dan aan ${organisation}.`,
      },
    },
  },
  stop: {
    pictures: {
      title: 'Stoppen en mijn foto’s verwijderen',
      text: (organisation) =>
        `Hiermee trekt u uw toestemming in. Uw foto’s worden meteen verwijderd en deze link werkt niet meer. Om opnieuw te beginnen heeft u een nieuwe link van ${organisation} nodig.`,
      button: 'Stoppen en verwijderen',
    },
    papers: {
      title: 'Stoppen en mijn documenten verwijderen',
      text: (organisation) =>
        `Hiermee trekt u uw toestemming in. Uw documenten worden meteen verwijderd en deze link werkt niet meer. Om opnieuw te beginnen heeft u een nieuwe link van ${organisation} nodig.`,
      button: 'Stoppen en verwijderen',
    },
    nothing: {
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
};

/** The texts of a link that leads nowhere any more, and of stopping. */
export const endingTexts: Record<Language, Texts> = { nl, en };
