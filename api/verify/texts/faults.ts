import type { Language } from '#contract/enums.ts';
import { pictureFaults } from '#platform/pictures/picture.ts';
import { movementFaults } from '#services/flow/movements/movements.ts';
import { paperFaults } from '#services/flow/papers.ts';

/** Reasons why a step of a person was not accepted. */
export const faults = [
  ...pictureFaults,
  ...paperFaults,
  ...movementFaults,
  'no_consent',
  'no_picture',
  'no_paper',
  'too_heavy',
  'still_sending',
  'too_many',
  'no_bank',
  'too_many_visits',
  'unread_advice',
] as const;
export type Fault = (typeof faults)[number];

type Texts = Record<Fault, string>;

const en: Texts = {
  no_consent: 'You can only start if you agree: tick every box first.',
  no_picture: 'Choose a photo first.',
  no_paper: 'Choose a PDF first.',
  too_heavy:
    'This file is larger than 12 MB. Take the photo again with a lower resolution in the settings of the camera, or make a screenshot of it and choose that.',
  still_sending: 'Your photo is still being received. Wait a moment.',
  no_bank: 'Choose your bank first.',
  too_many_visits: 'You went to a bank too often through this link. Ask for a new link.',
  unread_advice:
    'We looked at your photos, and perhaps not everything is right. Read what the list below says. Then take the photo again, or press “Send” once more.',
  too_many: 'Too many photos were sent through this link. Ask for a new link.',
  not_a_pdf:
    'This file is not a PDF. Choose the document as a PDF: a photo or a screenshot is not possible here.',
  same_paper: 'You have already added this document. Choose another one.',
  too_many_papers: 'You have already added five documents, and no more are possible. Remove one first.',
  movements_too_late: 'That took too long. Press “Open the camera” and do it once more.',
  not_frames: 'The camera pictures did not arrive in order. Press “Open the camera” and do it once more.',
  not_a_picture: 'This file is not a photo we can read. Use JPEG, PNG or WebP.',
  incomplete:
    'The end of this photo is missing, so it is not whole. Take it again, or choose it again where it is stored.',
  too_large:
    'This photo has more than 65 megapixels. Take it again with a lower resolution in the settings of the camera, or make a screenshot of it and choose that.',
  too_small: 'This photo is too small to read. Move closer or use a better camera.',
  too_dark: 'This photo is too dark. Use more light.',
  blurred: 'This photo is blurred. Hold the camera still and wait until the picture is sharp.',
  glare: 'Light is reflected on the document. Tilt it a little or switch off the lamp.',
};

const nl: Texts = {
  no_consent: 'U kunt alleen beginnen als u akkoord gaat: vink eerst elk vakje aan.',
  no_picture: 'Kies eerst een foto.',
  no_paper: 'Kies eerst een PDF.',
  too_heavy:
    'Dit bestand is groter dan 12 MB. Maak de foto opnieuw met een lagere resolutie in de instellingen van de camera, of maak er een schermafbeelding van en kies die.',
  still_sending: 'Uw foto wordt nog ontvangen. Wacht even.',
  no_bank: 'Kies eerst uw bank.',
  too_many_visits: 'U bent te vaak naar een bank gegaan via deze link. Vraag om een nieuwe link.',
  unread_advice:
    'Wij hebben naar uw foto’s gekeken, en misschien klopt niet alles. Lees wat er in de lijst hieronder staat. Maak de foto daarna opnieuw, of druk nog een keer op ‘Versturen’.',
  too_many: 'Er zijn te veel foto’s verstuurd via deze link. Vraag om een nieuwe link.',
  not_a_pdf:
    'Dit bestand is geen PDF. Kies het document als PDF: een foto of schermafbeelding kan hier niet.',
  same_paper: 'U heeft dit document al toegevoegd. Kies een ander document.',
  too_many_papers: 'U heeft al vijf documenten toegevoegd, en meer kan niet. Verwijder er eerst een.',
  movements_too_late: 'Dat duurde te lang. Druk op ‘Camera openen’ en doe het nog een keer.',
  not_frames: 'De camerabeelden zijn niet goed aangekomen. Druk op ‘Camera openen’ en doe het nog een keer.',
  not_a_picture: 'Dit bestand is geen foto die wij kunnen lezen. Gebruik JPEG, PNG of WebP.',
  incomplete:
    'Het einde van deze foto ontbreekt, dus de foto is niet compleet. Maak de foto opnieuw, of kies de foto opnieuw waar die is opgeslagen.',
  too_large:
    'Deze foto heeft meer dan 65 megapixels. Maak de foto opnieuw met een lagere resolutie in de instellingen van de camera, of maak er een schermafbeelding van en kies die.',
  too_small: 'Deze foto is te klein om te lezen. Maak de foto van dichterbij of met een betere camera.',
  too_dark: 'Deze foto is te donker. Zorg voor meer licht.',
  blurred: 'Deze foto is onscherp. Houd de camera stil en wacht tot het beeld scherp is.',
  glare: 'Er is een weerspiegeling op het document. Kantel het een beetje of doe de lamp uit.',
};

export const faultTexts: Record<Language, Texts> = { nl, en };
