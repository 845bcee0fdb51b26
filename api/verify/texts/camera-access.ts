import type { Language } from '#contract/enums.ts';
import type { BrowserFamily } from '../browser-family.ts';

/** How a person allows a camera that the browser has blocked for this page. */
type Texts = {
  blocked: string;
  steps: Record<BrowserFamily, string>;
  after: string;
};

const en: Texts = {
  blocked: 'The camera is blocked for this page.',
  steps: {
    in_app: 'You see this page inside another app. Below it says how to open it in your own browser.',
    safari_ios:
      'Tap the sign at the left in the address bar. Choose “Website Settings”, perhaps behind the three dots. At “Camera”, choose “Allow”.',
    other_ios:
      'Open the Settings of your phone. Choose this browser in the list of apps. Switch “Camera” on.',
    safari:
      'In the menu at the top, choose “Safari”, then “Settings for This Website”. At “Camera”, choose “Allow”.',
    firefox_android: 'Tap the lock beside the address. Tap “Blocked” beside “Camera”.',
    firefox: 'Click the crossed-out camera beside the address. Remove the block with the small cross.',
    samsung: 'Tap the lock beside the address. Choose “Permissions”, and allow “Camera”.',
    chrome_android: 'Tap the sign at the left of the address. Choose “Permissions”, and switch “Camera” on.',
    chrome: 'Click the sign at the left of the address. Switch “Camera” on.',
    other: 'Tap the sign beside the address at the top, and allow the camera.',
  },
  after: 'Then open the camera again. Or choose another way below.',
};

const nl: Texts = {
  blocked: 'De camera is geblokkeerd voor deze pagina.',
  steps: {
    in_app:
      'U bekijkt deze pagina binnen een andere app. Hieronder leest u hoe u de pagina in uw eigen browser opent.',
    safari_ios:
      'Tik op het teken links in de adresbalk. Kies “Website-instellingen”, misschien achter de drie puntjes. Kies bij “Camera” voor “Sta toe”.',
    other_ios:
      'Open de Instellingen van uw telefoon. Kies deze browser in de lijst met apps. Zet “Camera” aan.',
    safari:
      'Kies in het menu bovenaan “Safari” en dan “Instellingen voor deze website”. Kies bij “Camera” voor “Sta toe”.',
    firefox_android: 'Tik op het slotje naast het adres. Tik op “Geblokkeerd” naast “Camera”.',
    firefox: 'Klik op de doorgestreepte camera naast het adres. Haal de blokkade weg met het kruisje.',
    samsung: 'Tik op het slotje naast het adres. Kies “Machtigingen” en sta “Camera” toe.',
    chrome_android: 'Tik op het teken links van het adres. Kies “Rechten” en zet “Camera” aan.',
    chrome: 'Klik op het teken links van het adres. Zet “Camera” aan.',
    other: 'Tik bovenaan op het teken naast het adres en sta de camera toe.',
  },
  after: 'Open de camera dan opnieuw. Of kies hieronder een andere manier.',
};

const texts: Record<Language, Texts> = { en, nl };

/** Why the camera does not open, the steps in this browser, and what comes then. */
export function cameraAccess(language: Language, family: BrowserFamily): string {
  const { blocked, steps, after } = texts[language];
  return `${blocked} ${steps[family]} ${after}`;
}
