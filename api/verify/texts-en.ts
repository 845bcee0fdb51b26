import type { Texts } from './text-fields.ts';

export const en: Texts = {
  otherLanguage: 'Nederlands',
  sandbox: {
    identity: 'Test environment. Do not use real documents here. Photos are not stored.',
    income: 'Test environment. Do not use real documents here. Documents are not stored.',
  },
  shell: {
    service: 'Verification service',
    serviceFor: {
      identity: (organisation) => `This identity check is made on behalf of ${organisation}.`,
      income: (organisation) => `This income check is made on behalf of ${organisation}.`,
    },
    questions: (contact) => `Questions? ${contact}`,
    privacy: (organisation) => `Privacy statement of ${organisation}`,
    parts: {
      start: 'Start',
      document: 'Your document',
      selfie: 'Photo of yourself',
      bank: 'Your bank',
      papers: 'Your documents',
      send: 'Look and send',
    },
    step: ({ current, of, name }) => `Step ${current} of ${of}: ${name}`,
    back: (organisation) => `Back to ${organisation}`,
  },
  welcome: {
    title: 'Prove who you are',
    asks: (organisation) => `${organisation} asks you to prove your identity.`,
    income: {
      title: 'Show what you earn',
      asks: (organisation) => `${organisation} asks you for documents about your income.`,
    },
    needs: {
      document: {
        text: 'A valid identity document',
        hint: 'Passport, identity card, residence permit or driving licence',
      },
      face: { text: 'A photo of yourself', hint: 'You take it with the camera' },
      camera: { text: 'A camera', hint: 'The one of your phone is best' },
      bank: { text: 'The app or login of your bank' },
      income: { text: 'Documents about your income, as PDF' },
    },
    minutes: {
      document_liveness: 'About three minutes',
      document_only: 'About two minutes',
      idin: 'About one minute',
      income: 'About three minutes',
    },
    about: {
      purpose: 'Why',
      contact: 'Questions',
      privacy: 'Privacy',
      privacyLink: (organisation) => `Privacy statement of ${organisation}`,
    },
    brief: {
      title: 'What is kept',
      pictures: ({ pictureDays }) => `Your photos: encrypted, and erased after ${pictureDays} days.`,
      noPictures: 'No photos are kept.',
      papers: ({ pictureDays }) => `Your documents: encrypted, and erased after ${pictureDays} days.`,
      noPapers: 'No documents are kept.',
      result: ({ resultYears }, organisation) =>
        `The result: until ${resultYears} years after your relationship with ${organisation} has ended.`,
      covered: 'On the copy of a Dutch document, your citizen service number (BSN) is covered.',
      coveredPapers: 'On what is kept of your documents, your citizen service number (BSN) is covered.',
      use: {
        identity: (organisation) =>
          `Your data are used to establish for ${organisation} who you are, and for nothing else.`,
        income: (organisation) =>
          `Your data are used to establish for ${organisation} what you earn, and for nothing else.`,
      },
    },
    privacyTitle: 'All about your data and your rights',
    use: {
      document_liveness: (organisation) =>
        `A computer reads your document, checks its data, and compares your face with the photo in it. That is only an indication. A person at ${organisation}, not the computer, judges whether the document is genuine and whether the face is yours. Your photos are used for this only.`,
      document_only: (organisation) =>
        `A computer reads your document and checks its data. ${organisation}, not the computer, judges whether the document is genuine. Your photos are used for this only.`,
      idin: (organisation) =>
        `Your bank confirms to ${organisation} your name, address, date of birth and gender, and gives a fixed number for you at this organisation. A computer records that your bank confirms this. These data are kept encrypted, as long as the result. We do not see your login.`,
      income: (organisation) =>
        `A computer reads your documents and checks their sums. That is only an indication. A person at ${organisation} looks at the documents, and judges whether they are genuine. Your documents are used for this only.`,
    },
    decision: {
      people: (organisation) => `A person decides for ${organisation}. A computer does not.`,
      machine_may_reject: (organisation) =>
        `A computer may reject your document, for example if it has expired. This page then tells you so, and you can ask ${organisation} that a person looks at it.`,
      machine_may_decide: (organisation) =>
        `A computer may decide about your document. If it rejects the document, this page tells you so, and you can ask ${organisation} that a person looks at it.`,
    },
    papersDecision: {
      people: (organisation) => `A person decides for ${organisation}. A computer does not.`,
      machine_may_reject: (organisation) =>
        `A computer may reject your documents, for example if one was changed after it was made. This page then tells you so, and you can ask ${organisation} that a person looks at it. A computer approves nothing.`,
      machine_may_decide: (organisation) =>
        `A computer may reject your documents, for example if one was changed after it was made. This page then tells you so, and you can ask ${organisation} that a person looks at it. A computer approves nothing.`,
    },
    copy: (coversPhoto) =>
      `After the checks a copy is made of the photos of your document, and these photos are erased. Is your document Dutch? Then your citizen service number (BSN) is covered on the copy. ${coversPhoto ? 'The photo in your document is covered too. It is kept apart, encrypted.' : 'The photo in your document stays on the copy.'}`,
    kept: {
      pictures: ({ pictureDays }) =>
        `Your photos and the copy are stored encrypted. They are erased ${pictureDays} days after you send the photos. If you do not send them, they are erased when this link expires, or at once if you stop.`,
      noPictures: () => 'No photos are stored.',
      papers: ({ pictureDays }) =>
        `Your documents are stored encrypted. After the checks, pictures of their pages take their place, on which your citizen service number (BSN) is covered. These are erased ${pictureDays} days after you send the documents. If you do not send them, they are erased when this link expires, or at once if you stop. A digital fingerprint of each document is kept as long as the result, so that nobody can use it a second time.`,
      noPapers: () => 'No documents are stored.',
      result: ({ resultYears, unfinishedDays }) =>
        `The result is kept for ${resultYears} years after your relationship with the organisation that asks has ended. So is the proof that you agreed: the time, your internet address and your browser. If that organisation reports no end, the years begin with the result. If you do not finish, they are erased ${unfinishedDays} days after this link has expired.`,
    },
    rights: (organisation) =>
      `You agree of your own free will, and you can take it back. You can ask ${organisation} to show you your data, to correct or erase them, or to use them less, and you can object.`,
    complaint:
      'You can complain to the data protection authority of your country. In the Netherlands that is the Autoriteit Persoonsgegevens.',
    consent: {
      document: (organisation) =>
        `I agree that photos of my document are used to establish for ${organisation} who I am.`,
      face: (organisation) =>
        `I agree that my face is measured. ${organisation} compares a photo of my face with the photo in my document.`,
      bank: (organisation) =>
        `I agree that my bank confirms my name, address, date of birth and gender to establish for ${organisation} who I am.`,
      income: (organisation) =>
        `I agree that my documents are used to establish for ${organisation} what I earn.`,
    },
    agree: 'Do you agree?',
    start: 'Start',
    otherWay: {
      title: 'Rather without a photo of your face?',
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
  camera: {
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
        'This browser cannot show the camera here. This often happens inside another app. Open the link in your own browser, or choose another way below.',
      coarse:
        'This camera is not sharp enough to read a document. Use the camera of your phone, or choose another way below.',
      lost: 'The camera has stopped. Open it again, or choose another way below.',
    },
    sending: {
      offline:
        'You have no connection. Keep this page open: nothing is lost, and we send it when the connection is back.',
      later: 'The service is busy. Keep this page open: nothing is lost, and we send it again in a moment.',
      slow: 'Your connection is slow. Keep this page open: nothing is lost, and we send it again in a moment.',
    },
  },
  handover: {
    title: 'Go on with your phone',
    waits: 'This page follows your phone.',
    goOnHere: 'Or go on here',
    following: 'Go on with your phone',
    phoneAt: (name) => `Your phone is at: ${name}.`,
    steps: {
      welcome: 'start',
      document: 'your document',
      card_back: 'back of the document',
      selfie: 'photo of yourself',
      papers: 'your documents',
      confirm: 'check and send',
    },
    takeOver: 'Go on here instead',
    again: 'Show the code again',
    copy: 'Copy the link',
    copied: 'The link is copied. Open it on your phone.',
    notCopied: 'Copying did not work. Select the address above and copy it.',
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
  },
  bank: {
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
  },
  papers: {
    title: 'Your documents',
    anyOf: 'Each of these documents will do. You can hand in several.',
    asked: (organisation) => `${organisation} asks you for:`,
    kinds: {
      payslip: {
        name: 'Payslip',
        where: 'In the portal of your employer, or in an e-mail of the payroll office.',
      },
      uwv_statement: {
        name: 'Insurance statement of UWV (verzekeringsbericht)',
        where: 'On mijn.uwv.nl. You sign in there yourself; we do not ask for your DigiD.',
      },
      annual_statement: {
        name: 'Annual statement (jaaropgave)',
        where: 'Where you find your payslips, or on mijn.uwv.nl if you have a benefit.',
      },
      employer_statement: {
        name: 'Employer’s statement (werkgeversverklaring)',
        where: 'Your employer makes it for you. Ask for it as a PDF.',
      },
    },
    hints: {
      file: 'Choose the PDF as you downloaded it. A photo or scan of a print helps less.',
      covered: 'Your citizen service number (BSN) is not needed. It may be covered or left out.',
      most: 'At most five files, each of at most 10 MB.',
    },
    choose: 'Choose a PDF',
    send: 'Add this document',
    sending: 'Sending…',
    sandbox: 'The test environment reads and keeps no documents. Any PDF will do, and so will an example.',
    specimen: 'Use an example',
    item: (number) => `Document ${number}`,
    remove: 'Remove',
    another: 'Add another document',
    full: 'You have added five documents. No more are possible.',
    faults: {
      too_heavy: 'This file is larger than 10 MB. Download the document again, or choose a smaller PDF.',
      still_sending: 'Your document is still being received. Wait a moment.',
      too_many: 'Too many documents were sent through this link. Ask for a new link.',
    },
  },
  confirm: {
    title: 'Is everything right?',
    text: 'You are about to send this. After sending you cannot change it.',
    received: {
      passport_page: 'Passport',
      card_front: 'Front of the document',
      card_back: 'Back of the document',
      selfie: 'Photo of yourself',
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
      deciding: 'The result is written down',
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
    close: (organisation) => `You need not wait: you can close this page, and ${organisation} is informed.`,
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
    contact: (contact) => `Contact: ${contact}`,
  },
  expired: {
    title: 'This link has expired',
    text: {
      identity:
        'A link works for a limited time. If you had taken photos, they are erased: nothing was sent.',
      income:
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
      title: 'You have stopped',
      text: (organisation) =>
        `Your photos were removed and nothing was sent. You can close this page. If you want to begin again, or have a question about your data, ask ${organisation}.`,
    },
    byPersonWithPapers: {
      title: 'You have stopped',
      text: (organisation) =>
        `Your documents were removed and nothing was sent. You can close this page. If you want to begin again, or have a question about your data, ask ${organisation}.`,
    },
    byPersonWithoutPictures: {
      title: 'You have stopped',
      text: (organisation) =>
        `Nothing was sent, and nothing is kept of a visit to your bank. You can close this page. If you want to begin again, or have a question about your data, ask ${organisation}.`,
    },
  },
  stop: {
    title: 'Stop and remove my photos',
    text: (organisation) =>
      `This takes back your consent. Your photos are removed at once, and this link stops working. To begin again, you need a new link from ${organisation}.`,
    button: 'Stop and remove',
    papers: {
      title: 'Stop and remove my documents',
      text: (organisation) =>
        `This takes back your consent. Your documents are removed at once, and this link stops working. To begin again, you need a new link from ${organisation}.`,
      button: 'Stop and remove',
    },
    noPictures: {
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
  unknown: {
    title: 'We do not know this link',
    text: 'Check that you copied the whole link.',
    ask: 'Does it still not work? Ask the organisation that sent it to you for a new link.',
  },
  trouble: {
    title: 'That did not work',
    tooOften: 'A button was pressed too often. Wait a minute and try again.',
    away: 'The service is not available right now. What you have already done is saved. Try again in a moment.',
    other: 'We could not process what you sent. Nothing has changed.',
    tooSlow:
      'Your photo or document did not arrive. Your connection is too slow or was interrupted. Try again, if you can on Wi-Fi, or with a smaller file. What you had done before is saved.',
    noPage: 'There is no page at this address. Nothing has changed.',
    back: 'Back to the page',
  },
  wrong: 'Something is not right',
  faults: {
    no_consent: 'You can only start if you agree: tick every box first.',
    no_picture: 'Choose a photo first.',
    no_paper: 'Choose a PDF first.',
    too_heavy:
      'This file is larger than 12 MB. Take the photo again with a lower resolution in the settings of the camera, or make a screenshot of it and choose that.',
    still_sending: 'Your photo is still being received. Wait a moment.',
    no_bank: 'Choose your bank first.',
    too_many_visits: 'You went to a bank too often through this link. Ask for a new link.',
    too_many: 'Too many photos were sent through this link. Ask for a new link.',
    not_a_pdf:
      'This file is not a PDF. Choose the document as a PDF: a photo or a screenshot is not possible here.',
    same_paper: 'You have already added this document. Choose another one.',
    too_many_papers: 'You have already added five documents, and no more are possible. Remove one first.',
    not_a_picture: 'This file is not a photo we can read. Use JPEG, PNG or WebP.',
    incomplete:
      'The end of this photo is missing, so it is not whole. Take it again, or choose it again where it is stored.',
    too_large:
      'This photo has more than 65 megapixels. Take it again with a lower resolution in the settings of the camera, or make a screenshot of it and choose that.',
    too_small: 'This photo is too small to read. Move closer or use a better camera.',
    too_dark: 'This photo is too dark. Use more light.',
    blurred: 'This photo is blurred. Hold the camera still and wait until the picture is sharp.',
    glare: 'Light is reflected on the document. Tilt it a little or switch off the lamp.',
  },
};
