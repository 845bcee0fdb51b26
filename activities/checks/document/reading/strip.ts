import { type Grey, type Line, redrawn } from './grey.ts';
import { cell } from './ocr-b.ts';

/**
 * Maps a point of a row to the picture. `place` counts from 0, and a whole number is the middle of a place. `level` is the distance from
 * the middle line of the row, in heights of a glyph.
 */
export type Course = (place: number, level: number) => readonly [x: number, y: number];

/** The part of a picture around a course, as the network of zones sees it: a line of any pitch, drawn horizontally and `textWidth` long. */
export type Strip = {
  grey: Grey;
  pitch: number;
  toPicture: (x: number, y: number) => readonly [number, number];
};

export const stripSize = { width: 768, height: 48 } as const;
const textWidth = 704;

/** What the detector marks is longer than the text, by this number of places. */
const besideText = 0.5;

/** Cuts out a row of about `count` places. The network does not know the number. */
export function stripOf(picture: Grey, course: Course, count: number): Strip {
  const pitch = textWidth / (count + besideText);
  const glyphHeight = (pitch * cell.height) / cell.width;
  const toPicture = (x: number, y: number) =>
    course((x - stripSize.width / 2) / pitch + (count - 1) / 2, (y - stripSize.height / 2) / glyphHeight);
  return { grey: redrawn(picture, stripSize, toPicture), pitch, toPicture };
}

/** The course of a row of `count` places that fills a line of the detector. */
export function courseOf(line: Line, count: number): Course {
  const { bend = 0, taper = 0 } = line;
  const [cos, sin] = [Math.cos(line.angle), Math.sin(line.angle)];
  const half = line.length / 2;
  // The end that is nearer to the camera looks higher, and its places wider.
  const far = -Math.min(Math.max(taper, -taperMax), taperMax);
  return (place, level) => {
    const part = (2 * place + 1 - count) / (count + besideText);
    const away = 1 + far * part;
    const along = (half * (part + far)) / away;
    const pitch = ((2 * half) / (count + besideText)) * ((1 - far * far) / away);
    const across = bend * along * along + (level * pitch * cell.height) / cell.width;
    return [line.x + along * cos - across * sin, line.y + along * sin + across * cos];
  };
}

const taperMax = 0.35;
