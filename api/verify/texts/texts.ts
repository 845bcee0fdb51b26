import type { Language } from '#contract/enums.ts';
import { bankTexts } from './bank.ts';
import { cameraTexts } from './camera.ts';
import { endingTexts } from './endings.ts';
import { faultTexts } from './faults.ts';
import { frameTexts } from './frame.ts';
import { handoverTexts } from './handover.ts';
import { movementTexts } from './movements.ts';
import { paperTexts } from './papers.ts';
import { pictureTexts } from './pictures.ts';
import { sendingTexts } from './sending.ts';
import { welcomeTexts } from './welcome.ts';

/** The table of texts. A file has both languages of one type, so that a text that is missing in one of them does not compile. */
const textsIn = (language: Language) => ({
  ...frameTexts[language],
  faults: faultTexts[language],
  welcome: welcomeTexts[language],
  ...pictureTexts[language],
  camera: cameraTexts[language],
  movements: movementTexts[language],
  handover: handoverTexts[language],
  bank: bankTexts[language],
  papers: paperTexts[language],
  ...sendingTexts[language],
  ...endingTexts[language],
});

export type Texts = ReturnType<typeof textsIn>;

/** The texts of the hosted pages, in plain language (B1). */
export const texts: Record<Language, Texts> = { nl: textsIn('nl'), en: textsIn('en') };
