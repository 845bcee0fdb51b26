import type { Texts } from './text-fields.ts';

export const en: Texts = {
  otherLanguage: 'Nederlands',
  sandbox: 'Test environment. Do not use real documents here. Photos are not stored.',
  welcome: {
    title: 'Prove who you are',
    asks: (organisation) => `${organisation} asks you to prove your identity.`,
    need: {
      document_liveness: 'You need a valid identity document, and a camera for a photo of yourself.',
      document_only: 'You need a valid identity document and a camera.',
      idin: 'You need the app or login of your bank.',
    },
    minutes: 'It takes about three minutes.',
    about: {
      purpose: 'Why',
      contact: 'Questions',
      privacy: 'Privacy',
      privacyLink: (organisation) => `Privacy statement of ${organisation}`,
    },
    privacyTitle: 'What happens to your data, and your rights',
    use: {
      document_liveness: (organisation) =>
        `A computer reads your document and checks its data. It does not see whether the document is genuine, and it does not decide whether the face is yours: a person of ${organisation} does. Your photos are used for this only.`,
      document_only: (organisation) =>
        `A computer reads your document and checks its data. It does not see whether the document is genuine: that is for ${organisation} to judge. Your photos are used for this only.`,
      idin: (organisation) => `Your bank confirms to ${organisation} who you are. We do not see your login.`,
    },
    decision: {
      people: (organisation) => `A person decides for ${organisation}. A computer does not.`,
      machine_may_reject: (organisation) =>
        `A computer may reject your document, for example if it has expired. This page then tells you so, and you can ask ${organisation} for a person.`,
      machine_may_decide: (organisation) =>
        `A computer may decide about your document. If it rejects the document, this page tells you so, and you can ask ${organisation} for a person.`,
    },
    copy: (coversPhoto) =>
      `After the checks a copy is made of the photos of your document, and these photos are erased. Is your document Dutch? Then your citizen service number (BSN) is covered on the copy. ${coversPhoto ? 'The photo in your document is covered too. It is kept apart, encrypted.' : 'The photo in your document stays on the copy.'}`,
    kept: {
      pictures: ({ pictureDays }) =>
        `Your photos and the copy are stored encrypted. They are erased ${pictureDays} days after you send the photos. If you do not send them, they are erased when this link expires, or at once if you stop.`,
      noPictures: () => 'No photos are stored.',
      result: ({ resultYears, unfinishedDays }) =>
        `The result, and the proof that you agreed (the time, your internet address and your browser), are kept for ${resultYears} years after your relationship with the organisation that asks has ended. If that organisation reports no end, the years begin with the result. If you do not finish, they are erased ${unfinishedDays} days after this link has expired.`,
    },
    rights: (organisation) =>
      `You agree of your own free will, and you can take it back. You can ask ${organisation} to show you your data, to correct or erase them, or to use them less, and you can object.`,
    complaint:
      'You can complain to the data protection authority of your country. In the Netherlands that is the Autoriteit Persoonsgegevens.',
    consent: {
      document: (organisation) =>
        `I agree that photos of my document are used to establish for ${organisation} who I am.`,
      face: (organisation) =>
        `I agree that my face is measured: ${organisation} compares a photo of my face with the photo in my document.`,
      bank: (organisation) =>
        `I agree that my bank confirms my data to establish for ${organisation} who I am.`,
    },
    start: 'Start',
    otherWay: {
      title: 'No photo of your face?',
      text: (organisation) =>
        `You can ask ${organisation} for another way. Then you stop here: what you have sent is erased, and ${organisation} is told that you ask for another way.`,
      button: 'Ask for another way',
    },
    onPhone: 'Prefer to use your phone?',
    onPhoneText: 'Scan this code with the camera of your phone. You continue there where you left off.',
    qr: 'QR code with the link to this page',
  },
  document: {
    title: 'Your document',
    which: 'Which document do you want to use?',
    passport: 'Passport',
    card: 'Identity card, residence permit or driving licence',
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
    choose: 'Take or choose a photo',
    send: 'Use this photo',
    sending: 'Sending…',
    specimen: 'Use the example',
    specimenShown: 'Example',
    formats: 'JPEG, PNG or WebP, at most 12 MB.',
  },
  bank: {
    title: 'Your bank',
    text: 'In the test environment you use an example bank instead of your own bank.',
    confirm: 'Confirm at the example bank',
  },
  confirm: {
    title: 'Is everything right?',
    text: 'You are about to send this. After that you cannot change it.',
    received: {
      passport_page: 'Passport',
      card_front: 'Front of the document',
      card_back: 'Back of the document',
      selfie: 'Photo of yourself',
      bank: 'Confirmation of the example bank',
    },
    again: 'Take again',
    send: 'Send',
  },
  checking: {
    title: 'Thank you, everything has been sent',
    text: 'We are checking your data. You can close this page.',
  },
  done: {
    title: 'Done',
    text: 'This verification is complete. The sender of the link will be informed. You can close this page.',
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
    contact: (contact) => `Contact: ${contact}`,
  },
  expired: {
    title: 'This link has expired',
    text: (organisation) => `Ask ${organisation} for a new link.`,
  },
  cancelled: {
    byOrganisation: {
      title: 'This verification was cancelled',
      text: (organisation) =>
        `You need not do anything, and you can close this page. If you have a question, ask ${organisation}.`,
    },
    byPerson: {
      title: 'You have stopped',
      text: (organisation) =>
        `Your photos were removed and nothing was sent. You can close this page. If you want to begin again, or have a question about your data, ask ${organisation}.`,
    },
  },
  stop: {
    title: 'Stop and remove my photos',
    text: (organisation) =>
      `This takes back your consent. Your photos are removed at once, and this link stops working. To begin again, you need a new link from ${organisation}.`,
    button: 'Stop and remove',
  },
  noBank: {
    title: 'This is not possible here yet',
    text: (organisation) =>
      `This service cannot identify you through your bank yet. Ask ${organisation} for another way.`,
  },
  unknown: {
    title: 'We do not know this link',
    text: 'Check that you copied the whole link, or ask the sender for a new link.',
  },
  trouble: {
    title: 'That did not work',
    tooOften: 'A button was pressed too often. Wait a minute and try again.',
    away: 'The service is not available right now. What you have already done is saved. Try again in a moment.',
    other: 'We could not process what you sent. Nothing has changed.',
    back: 'Back to the verification',
  },
  wrong: 'Something is not right',
  faults: {
    no_consent: 'You can only start if you agree: tick every box first.',
    no_picture: 'Choose a photo first.',
    too_heavy: 'This file is larger than 12 MB. Choose a smaller photo.',
    still_sending: 'Your photo is still being received. Wait a moment.',
    too_many: 'Too many photos were sent through this link. Ask for a new link.',
    not_a_picture: 'This file is not a photo we can read. Use JPEG, PNG or WebP.',
    too_large: 'This photo has too many pixels. Choose a smaller one.',
    too_small: 'This photo is too small to read. Move closer or use a better camera.',
    too_dark: 'This photo is too dark. Use more light.',
    blurred: 'This photo is blurred. Hold the camera still and wait until the picture is sharp.',
    glare: 'Light is reflected on the document. Tilt it a little or switch off the lamp.',
  },
};
