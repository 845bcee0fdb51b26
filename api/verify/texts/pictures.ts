import type { Advice, Language, PictureKind } from '#contract/enums.ts';
import type { Example } from '../views/examples.ts';

type Texts = {
  document: {
    title: string;
    which: string;
    kinds: Record<
      'passport' | 'identity_card' | 'residence_permit' | 'driving_licence',
      { name: string; hint: string }
    >;
    other: string;
  };
  picture: Record<PictureKind, { title: string; hint: string }> & {
    send: string;
    sending: string;
    specimen: string;
    specimenShown: string;
    formats: string;
    examples: Record<Example, string>;
  };
  /** What a quick look at a picture found, and what to do. */
  advice: Record<Advice, string> & { title: string; anyway: string };
};

const en: Texts = {
  document: {
    title: 'Your document',
    which: 'Which document do you want to use?',
    kinds: {
      passport: { name: 'Passport', hint: 'One photo: the page with your photo' },
      identity_card: { name: 'Identity card', hint: 'Two photos: front and back' },
      residence_permit: { name: 'Residence permit', hint: 'Two photos: front and back' },
      driving_licence: { name: 'Driving licence', hint: 'Two photos: front and back' },
    },
    other: 'Another document',
  },
  picture: {
    passport_page: {
      title: 'Photo of your passport',
      hint: 'Show the whole page with your photo and the two lines at the bottom. Lay the passport flat and avoid reflections.',
    },
    card_front: {
      title: 'Photo of the front',
      hint: 'Show the whole side with your photo. Lay the card flat and avoid reflections.',
    },
    card_back: {
      title: 'Photo of the back',
      hint: 'Show the whole back with all its lines. Lay the card flat and avoid reflections.',
    },
    selfie: {
      title: 'Photo of yourself',
      hint: 'Look straight into the camera. Do not wear sunglasses or a cap, and have light from the front.',
    },
    send: 'Use this photo',
    sending: 'Sending…',
    specimen: 'Use the example',
    specimenShown: 'Example',
    formats: 'JPEG, PNG or WebP, at most 12 MB.',
    examples: {
      good_document: 'Good: whole and flat',
      cut_off: 'Not good: a part is missing',
      reflection: 'Not good: a reflection',
      good_face: 'Good: the whole face',
      covered_face: 'Not good: cap or sunglasses',
      dark_face: 'Not good: light from behind',
    },
  },
  advice: {
    title: 'Is this the right photo?',
    anyway: 'Use this photo anyway',
    no_document:
      'We see no document in this photo. Put the document in the middle, so that it fills the photo.',
    other_document:
      'This looks like another kind of document than you chose. Photograph the document that you chose, or press “Another document”.',
    wrong_side: 'This looks like the other side of the card. Turn the card over and take the photo again.',
    same_side: 'You sent this photo before, for the other side. Turn the card over and photograph this side.',
    no_zone:
      'We do not see the lines with letters, digits and the sign <. Does your document have these lines? Take a photo in which they are whole and sharp.',
    unreadable:
      'We cannot read the lines with letters, digits and the sign < well. Hold the camera still, closer and straight above the document, without reflections.',
    expired:
      'The document in this photo seems to have expired. Do you have another document that is still valid? Then use that one.',
    no_face: 'We see no face in this photo. Look straight into the camera, with light from the front.',
    several_faces: 'We see more than one face in this photo. Take a photo with only yourself in it.',
    movements_unclear:
      'We could not see your movements well. Make sure that there is light on your face, that only you are in the picture, and that your face stays in it.',
    movements_missing:
      'We did not see all movements. Follow each instruction until the next one comes, and look straight ahead in between.',
  },
};

const nl: Texts = {
  document: {
    title: 'Uw document',
    which: 'Welk document wilt u gebruiken?',
    kinds: {
      passport: { name: 'Paspoort', hint: 'Eén foto: de bladzijde met uw foto' },
      identity_card: { name: 'Identiteitskaart', hint: 'Twee foto’s: voorkant en achterkant' },
      residence_permit: { name: 'Verblijfsdocument', hint: 'Twee foto’s: voorkant en achterkant' },
      driving_licence: { name: 'Rijbewijs', hint: 'Twee foto’s: voorkant en achterkant' },
    },
    other: 'Een ander document',
  },
  picture: {
    passport_page: {
      title: 'Foto van uw paspoort',
      hint: 'Laat de hele bladzijde met uw foto zien, met de twee regels onderaan. Leg het paspoort plat en voorkom weerspiegeling.',
    },
    card_front: {
      title: 'Foto van de voorkant',
      hint: 'Laat de hele kant met uw foto zien. Leg de kaart plat en voorkom weerspiegeling.',
    },
    card_back: {
      title: 'Foto van de achterkant',
      hint: 'Laat de hele achterkant zien, met alle regels. Leg de kaart plat en voorkom weerspiegeling.',
    },
    selfie: {
      title: 'Foto van uzelf',
      hint: 'Kijk recht in de camera. Draag geen zonnebril of pet, en zorg voor licht van voren.',
    },
    send: 'Deze foto gebruiken',
    sending: 'Bezig met versturen…',
    specimen: 'Gebruik het voorbeeld',
    specimenShown: 'Voorbeeld',
    formats: 'JPEG, PNG of WebP, hoogstens 12 MB.',
    examples: {
      good_document: 'Goed: heel en vlak',
      cut_off: 'Niet goed: er mist een stuk',
      reflection: 'Niet goed: een weer\u00adspiegeling',
      good_face: 'Goed: het hele gezicht',
      covered_face: 'Niet goed: pet of zonnebril',
      dark_face: 'Niet goed: licht van achteren',
    },
  },
  advice: {
    title: 'Is dit de goede foto?',
    anyway: 'Toch deze foto gebruiken',
    no_document:
      'Wij zien geen document op deze foto. Leg het document in het midden, zodat het de foto vult.',
    other_document:
      'Dit lijkt een ander soort document dan u heeft gekozen. Maak een foto van het gekozen document, of druk op ‘Een ander document’.',
    wrong_side: 'Dit lijkt de andere kant van de kaart. Draai de kaart om en maak de foto opnieuw.',
    same_side:
      'U heeft deze foto al verstuurd, voor de andere kant. Draai de kaart om en maak een foto van deze kant.',
    no_zone:
      'Wij zien de regels met letters, cijfers en het teken < niet. Heeft uw document deze regels? Maak dan een foto waarop ze helemaal en scherp te zien zijn.',
    unreadable:
      'Wij kunnen de regels met letters, cijfers en het teken < niet goed lezen. Houd de camera stil, dichterbij en recht boven het document, zonder weerspiegeling.',
    expired:
      'Het document op deze foto lijkt verlopen. Heeft u een ander document dat nog geldig is? Gebruik dan dat document.',
    no_face: 'Wij zien geen gezicht op deze foto. Kijk recht in de camera, met licht van voren.',
    several_faces: 'Wij zien meer dan één gezicht op deze foto. Maak een foto waar alleen u op staat.',
    movements_unclear:
      'Wij konden uw bewegingen niet goed zien. Zorg voor licht op uw gezicht, dat alleen u in beeld bent en dat uw gezicht in beeld blijft.',
    movements_missing:
      'Wij zagen niet alle bewegingen. Volg elke opdracht tot de volgende komt, en kijk tussendoor recht vooruit.',
  },
};

/** The texts of a document, of its pictures, and of what a quick look found. */
export const pictureTexts: Record<Language, Texts> = { nl, en };
