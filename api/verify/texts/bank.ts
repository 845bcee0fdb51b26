import type { Language } from '#contract/enums.ts';

type Texts = {
  title: string;
  /** Of sandbox, where an example bank stands for the person's own. */
  text: string;
  confirm: string;
  which: string;
  explained: string;
  /** How a visit to a bank ended without a result. */
  ends: Record<'cancelled' | 'expired' | 'failed' | 'not_begun' | 'unanswered', string>;
  asking: string;
  goTitle(bank: string): string;
  goText(bank: string): string;
  goTo(bank: string): string;
  goTrouble: string;
  waiting(bank: string): string;
  goBack(bank: string): string;
};

const en: Texts = {
  title: 'Your bank',
  text: 'In the test environment you use an example bank instead of your own bank.',
  confirm: 'Confirm at the example bank',
  which: 'Choose your bank',
  explained:
    'You go to the page of your bank and sign in there with iDIN. Then you come back here. We do not see your login.',
  ends: {
    cancelled: 'You stopped at your bank. Nothing was sent. You can try again.',
    expired: 'It took too long at your bank. Nothing was sent. You can try again.',
    failed: 'It did not work at your bank. You can try again, or choose another bank.',
    not_begun: 'Your bank cannot be reached now. Try again in a moment, or choose another bank.',
    unanswered: 'We got no answer from your bank. You can try again, or choose another bank.',
  },
  asking: 'We are connecting to your bank. This page goes on by itself.',
  goTitle: (bank) => `Go to ${bank}`,
  goText: (bank) => `Sign in at ${bank} and confirm who you are. You have five minutes for it.`,
  goTo: (bank) => `To ${bank}`,
  goTrouble: 'Do you want another bank? Stop on the page of your bank, or wait six minutes.',
  waiting: (bank) => `We are asking ${bank} for the answer. This page goes on by itself.`,
  goBack: (bank) => `Back to the page of ${bank}`,
};

const nl: Texts = {
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
};

export const bankTexts: Record<Language, Texts> = { nl, en };
