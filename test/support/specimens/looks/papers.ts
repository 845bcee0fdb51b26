import { type Canvas, canvas, sans, write } from '../canvas.ts';

/** Things with text that are no document: somebody may hold them before the camera. Nobody and no bank is on them. */

const lettering = await sans();

const lines = [
  'Utopia, 12 March 2026',
  'Dear Anna Maria,',
  'Thank you for your letter of last week. We are glad to',
  'hear that the garden is doing well, and that the roses',
  'you planted in the spring have come into flower.',
  'We hope to visit you in June. The train leaves at 9.15',
  'and arrives at noon, so there is time for a walk along',
  'the river before dinner. Please tell us if that suits.',
  'With kind regards,',
  'Pieter and Johanna',
];

/** A page of a letter. */
export function letter(): Canvas {
  const page = canvas(1_050, 1_485, () => 232);
  for (const [index, line] of lines.entries())
    write(page, line, 90, 320 + index * 70, { lettering, height: 34, dark: 40 });
  return page;
}

/** The front of a bank card, with its chip. */
export function bankCard(): Canvas {
  const isChip = (x: number, y: number) => x > 110 && x < 260 && y > 210 && y < 330;
  const card = canvas(1_027, 648, (x, y) => (isChip(x, y) ? 190 : 225 - x / 60 - y / 40));
  const print = (text: string, left: number, top: number, height: number) =>
    write(card, text, left, top, { lettering, height, dark: 35 });
  print('BANK OF UTOPIA', 110, 80, 52);
  print('0000 1111 2222 3333', 110, 390, 64);
  print('VALID THRU 08/29', 420, 480, 30);
  print('A M SPECIMEN', 110, 550, 44);
  return card;
}
