import type { Language } from '#contract/enums.ts';

type Texts = { title: string; wait: (minutes: number) => string };

const hoursFrom = 120;
const hours = (minutes: number) => Math.ceil(minutes / 60);

/** The page for somebody who has tried too often. */
export const attemptTexts: Record<Language, Texts> = {
  en: {
    title: 'Too many attempts',
    wait(minutes) {
      const time =
        minutes > hoursFrom
          ? `${hours(minutes)} hours`
          : `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
      return `Wait ${time} and try again. A browser in which you signed in before, and a passkey, may work at once.`;
    },
  },
  nl: {
    title: 'Te veel pogingen',
    wait(minutes) {
      const time =
        minutes > hoursFrom ? `${hours(minutes)} uur` : `${minutes} ${minutes === 1 ? 'minuut' : 'minuten'}`;
      return `Wacht ${time} en probeer het opnieuw. Een browser waarin u zich eerder aanmeldde, of een passkey, werkt misschien meteen.`;
    },
  },
};
