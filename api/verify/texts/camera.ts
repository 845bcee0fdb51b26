import type { Language } from '#contract/enums.ts';

/** What the live camera measures: the first that is wrong, or `ready`. */
export type CameraHint =
  | 'more_light'
  | 'aim'
  | 'closer'
  | 'further'
  | 'straight'
  | 'glare'
  | 'hold_still'
  | 'blur'
  | 'ready'
  | 'hold_for_shot';

/** Why the live camera cannot be used. */
export type CameraTrouble = 'denied' | 'absent' | 'busy' | 'insecure' | 'unsupported' | 'coarse' | 'lost';

type Texts = {
  open: string;
  take: string;
  choose: string;
  readable: Record<'document' | 'face', string>;
  /** The text in place of the picture that was taken. */
  taken: string;
  retake: string;
  close: string;
  shutter: string;
  auto: string;
  hints: Record<CameraHint | 'asks' | 'starts', string>;
  /** The hints that are other words for a face. */
  faceHints: Partial<Record<CameraHint, string>>;
  /** The reason, and what to do. The other ways are on the page. A blocked camera has steps of its own for each browser. */
  troubles: Record<Exclude<CameraTrouble, 'denied'>, string>;
  sending: Record<'offline' | 'later' | 'slow', string>;
};

const en: Texts = {
  open: 'Open the camera',
  take: 'Take a photo',
  choose: 'Choose a photo',
  readable: {
    document: 'Can you read everything well?',
    face: 'Is your whole face sharp and well lit?',
  },
  taken: 'The photo that you took or chose',
  retake: 'Take another',
  close: 'Close',
  shutter: 'Take the photo',
  auto: 'Automatic photo',
  hints: {
    asks: 'Your browser asks whether this page may use the camera. Choose “Allow”.',
    starts: 'The camera is starting…',
    more_light: 'There is too little light. Switch on a lamp or go to a window.',
    aim: 'Put the whole document in the frame.',
    closer: 'Come closer.',
    further: 'Move a little away.',
    straight: 'Hold the camera straight above the document.',
    glare: 'There is a reflection. Tilt the document a little.',
    hold_still: 'Hold the camera still.',
    blur: 'The picture is not sharp yet. Wait a moment, or move a little away.',
    ready: 'This is good. Take the photo.',
    hold_for_shot: 'This is good. Hold still, the photo is taken.',
  },
  faceHints: {
    more_light: 'There is too little light on your face. Turn to a lamp or a window.',
    aim: 'Look into the oval.',
    ready: 'Look into the oval, and take the photo.',
  },
  troubles: {
    absent: 'We find no camera on this device. Choose another way below.',
    busy: 'The camera does not start. Perhaps another app uses it. Close that app and try again. Or choose another way below.',
    insecure:
      'Your browser gives the camera to secure pages only, and this page was opened without “https”. Choose another way below.',
    unsupported:
      'This browser cannot show the camera here. This often happens inside another app. Below it says how to open the link in your own browser. Or choose another way.',
    coarse:
      'This camera is not sharp enough to read a document. Use the camera of your phone, or choose another way below.',
    lost: 'The camera has stopped. Open it again, or choose another way below.',
  },
  sending: {
    offline:
      'You have no connection. Keep this page open: nothing is lost, and it goes on by itself when the connection is back.',
    later: 'The service is busy. Keep this page open: nothing is lost, and we send it again in a moment.',
    slow: 'Your connection is slow. Keep this page open: nothing is lost, and we send it again in a moment.',
  },
};

const nl: Texts = {
  open: 'Camera openen',
  take: 'Maak een foto',
  choose: 'Kies een foto',
  readable: {
    document: 'Kunt u alles goed lezen?',
    face: 'Is uw hele gezicht scherp en goed verlicht?',
  },
  taken: 'De foto die u heeft gemaakt of gekozen',
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
    glare: 'Er is een weerspiegeling. Kantel het document een beetje.',
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
      'Deze browser kan de camera hier niet tonen. Dat gebeurt vaak binnen een andere app. Hieronder leest u hoe u de link in uw eigen browser opent. Of kies een andere manier.',
    coarse:
      'Deze camera is niet scherp genoeg om een document te lezen. Gebruik de camera van uw telefoon, of kies hieronder een andere manier.',
    lost: 'De camera is gestopt. Open hem opnieuw, of kies hieronder een andere manier.',
  },
  sending: {
    offline:
      'U heeft geen verbinding. Laat deze pagina open: er gaat niets verloren, en de pagina gaat vanzelf verder zodra er weer verbinding is.',
    later:
      'De dienst heeft het druk. Laat deze pagina open: er gaat niets verloren, en wij versturen het zo meteen opnieuw.',
    slow: 'Uw verbinding is traag. Laat deze pagina open: er gaat niets verloren, en wij versturen het zo meteen opnieuw.',
  },
};

export const cameraTexts: Record<Language, Texts> = { nl, en };
