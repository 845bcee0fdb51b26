import type { Language } from '#contract/enums.ts';
import type { Movement } from '#contract/movements.ts';

type Texts = {
  title: string;
  text: string;
  /** What the frames are for, and that they are erased. */
  why: string;
  needs: string;
  open: string;
  begin: string;
  longer: string;
  aloud: string;
  sending: string;
  offline: string;
  /** What the person reads, and may hear, while moving. */
  hints: Record<Movement | 'ready' | 'middle' | 'back', string>;
  /** For whom cannot do this. */
  without: { title: string; text(organisation: string): string; button: string };
};

const en: Texts = {
  title: 'Move your head',
  text: 'We ask you for three small movements before the camera, one after the other. It takes fifteen seconds.',
  why: 'This shows that you are there yourself. The pictures are erased after the check.',
  needs: 'Your camera is needed for this. If it does not work here, go on with your phone, or without it.',
  open: 'Open the camera',
  begin: 'Begin',
  longer: 'Give me more time',
  aloud: 'Read aloud what I have to do',
  sending: 'Sending…',
  offline: 'You have no connection right now. Open the camera again in a moment.',
  hints: {
    ready: 'Put your face in the oval, and press “Begin”.',
    middle: 'Look straight ahead.',
    left: 'Turn your head to your left.',
    right: 'Turn your head to your right.',
    up: 'Look up.',
    closer: 'Move closer to the camera.',
    back: 'And back: look straight ahead.',
  },
  without: {
    title: 'I cannot do this',
    text: (organisation) =>
      `Can you not move like this, not see or hear it, or have no camera? Then go on without it. A person at ${organisation} looks at your photos in any case.`,
    button: 'Go on without moving',
  },
};

const nl: Texts = {
  title: 'Beweeg uw hoofd',
  text: 'Wij vragen u om drie kleine bewegingen voor de camera, na elkaar. Het duurt vijftien seconden.',
  why: 'Zo zien wij dat u er zelf bent. De beelden worden na de controle gewist.',
  needs:
    'Hiervoor is uw camera nodig. Werkt die hier niet? Ga dan verder op uw telefoon, of ga verder zonder.',
  open: 'Camera openen',
  begin: 'Beginnen',
  longer: 'Geef mij meer tijd',
  aloud: 'Lees voor wat ik moet doen',
  sending: 'Bezig met versturen…',
  offline: 'U heeft nu geen verbinding. Open de camera zo meteen opnieuw.',
  hints: {
    ready: 'Zorg dat uw gezicht in het ovaal staat en druk op ‘Beginnen’.',
    middle: 'Kijk recht vooruit.',
    left: 'Draai uw hoofd naar links.',
    right: 'Draai uw hoofd naar rechts.',
    up: 'Kijk omhoog.',
    closer: 'Kom dichter bij de camera.',
    back: 'En terug: kijk recht vooruit.',
  },
  without: {
    title: 'Dit lukt mij niet',
    text: (organisation) =>
      `Kunt u niet zo bewegen, het niet zien of horen, of heeft u geen camera? Ga dan verder zonder. Een medewerker van ${organisation} bekijkt uw foto’s hoe dan ook.`,
    button: 'Verder zonder bewegen',
  },
};

/** The texts of the page on which a person moves before the camera. */
export const movementTexts: Record<Language, Texts> = { nl, en };
