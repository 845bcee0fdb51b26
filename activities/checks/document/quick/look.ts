import type { LookResult, PictureKind } from '#contract/enums.ts';
import { type FaceTools, uprightFaces } from '../../face/compare.ts';
import type { Tools } from '../examine.ts';
import { impressionOf } from '../judging/judge.ts';
import { licenceNumbersIn } from '../masking/codes.ts';
import { type Colour, greyOf } from '../masking/colour.ts';
import type { FaceNetwork } from '../masking/face-network.ts';
import { facesIn, firstFound, type Search } from '../masking/faces.ts';
import type { Line } from '../reading/grey.ts';
import type { Row } from '../reading/row.ts';
import { locateLines } from '../reading/text-lines.ts';
import { findZone } from '../reading/zone.ts';
import type { Part, Seen } from './reduced.ts';

export type LookTools = Tools & { faces: FaceNetwork; landmarks: FaceTools['landmarks'] };

/** A picture of which a person should hear within a second is searched in less detail than one that is examined. In pixels. */
const detectorSide = 736;
const faceSide = 416;

/** A picture with fewer lines of text shows no document: a wall, a table, noise. */
const linesMin = 3;
/** The lowest score of a face on a side of a document, and of the face of a person. The second one stops a person, so it is higher. */
const portraitScoreMin = 0.5;
const faceScoreMin = 0.5;
export const quickSearch: Search = { side: faceSide, scoreMin: faceScoreMin };
/** A smaller face stands in the background. As a share of the width of the largest face. */
const besideMin = 0.6;

/**
 * A phone that is held upright sees a document in about half of its picture. If the text takes less than this share of the longer side, its
 * part of the picture is searched once more, with what lies around it.
 */
const smallMax = 0.7;
const edgeShare = 0.15;

/** The places of a line in the zone of a passport, and in that of a card whose zone is on its back. */
const passportPlaces = 44;
const cardBackPlaces = 30;

/** Says whether a picture is what was asked for. `today` is a calendar day such as `2026-11-21`. */
export async function lookAt(
  { picture, closer }: Seen,
  kind: PictureKind,
  today: string,
  tools: LookTools,
): Promise<LookResult> {
  if (kind === 'selfie') return lookAtFace(picture, tools);
  const { rows, lines } = await searched(picture, tools);
  if (rows !== undefined) return lookAtZone(rows, picture, kind, today, tools);
  if (kind === 'card_back' && (await isBackOfLicence(picture))) return 'fine';
  const near = isSmall(lines, picture) ? await closer(partWith(lines, picture)) : undefined;
  const found = near && (await searched(near, tools)).rows;
  if (near && found) return lookAtZone(found, near, kind, today, tools);
  if (lines.length < linesMin) return 'no_document';
  if (kind === 'passport_page') return 'no_zone';
  const isFront = await showsPortrait(picture, lines, tools);
  if (kind === 'card_back') return isFront ? 'wrong_side' : 'no_zone';
  if (isFront) return 'fine';
  // A letter and a bank card have text too.
  return (await isBackOfLicence(picture)) ? 'wrong_side' : 'no_document';
}

/** The Dutch driving licence has its one line on the front, and the same line in a code on the back. */
const isBackOfLicence = async (picture: Colour): Promise<boolean> =>
  (await licenceNumbersIn(greyOf(picture))).length > 0;

async function searched(picture: Colour, { models }: LookTools) {
  const grey = greyOf(picture);
  const lines = await locateLines(grey, models, detectorSide);
  return { lines, rows: await findZone(grey, lines, models.zone) };
}

const longerSide = ({ width, height }: Colour): number => Math.max(width, height);

const isSmall = (lines: readonly Line[], picture: Colour): boolean => {
  if (lines.length < linesMin) return false;
  const { width, height } = partWith(lines, picture);
  return Math.max(width * picture.width, height * picture.height) < smallMax * longerSide(picture);
};

/** What has all the lines, and as much around them as the edge of a document takes. Lines may lie in any direction. */
function partWith(lines: readonly Line[], { width, height }: Colour): Part {
  const half = ({ length }: Line) => length / 2;
  const ends = {
    left: Math.min(...lines.map((line) => line.x - half(line))),
    right: Math.max(...lines.map((line) => line.x + half(line))),
    top: Math.min(...lines.map((line) => line.y - half(line))),
    bottom: Math.max(...lines.map((line) => line.y + half(line))),
  };
  const around = edgeShare * Math.max(ends.right - ends.left, ends.bottom - ends.top);
  const [left, top] = [Math.max(0, ends.left - around), Math.max(0, ends.top - around)];
  return {
    left: left / width,
    top: top / height,
    width: (Math.min(width, ends.right + around) - left) / width,
    height: (Math.min(height, ends.bottom + around) - top) / height,
  };
}

async function lookAtZone(
  rows: readonly Row[],
  picture: Colour,
  kind: Exclude<PictureKind, 'selfie'>,
  today: string,
  tools: LookTools,
): Promise<LookResult> {
  const places = rows[0]?.places.length;
  if ((kind === 'passport_page') !== (places === passportPlaces)) return 'other_document';
  // A zone of one line is that of a driving licence, on its front. Its one check digit cannot tell how many characters were misread.
  if (rows.length === 1) return kind === 'card_back' ? 'wrong_side' : 'fine';
  const impression = impressionOf(
    rows.map((row) => row.places.map(({ character }) => character)),
    today,
  );
  if (impression === 'visa') return 'other_document';
  const isBack = places === cardBackPlaces && kind === 'card_front';
  const lines = rows.map(({ line }) => line);
  return isBack && !(await showsPortrait(picture, lines, tools)) ? 'wrong_side' : impression;
}

/**
 * A portrait stands as the text does, or upside down. What looks like a face across the text is none. A weak find in one direction says
 * nothing about the other.
 */
async function showsPortrait(
  picture: Colour,
  lines: readonly Line[],
  { faces }: LookTools,
): Promise<boolean> {
  const level = lines.reduce((sum, { angle, length }) => sum + length * Math.cos(2 * angle), 0) > 0;
  for (const quarters of level ? [0, 2] : [1, 3])
    if ((await facesIn(picture, quarters, faceSide, faces)).some(({ score }) => score >= portraitScoreMin))
      return true;
  return false;
}

/**
 * Whether the picture shows the face of one person. Where a quick search finds none, the search of the comparison decides, so that nobody
 * hears of no face that is then compared.
 */
export async function lookAtFace(
  picture: Colour,
  { faces: detector, landmarks }: Pick<LookTools, 'faces' | 'landmarks'>,
): Promise<LookResult> {
  const quick = await firstFound(picture, 0, [quickSearch], detector);
  const faces = quick.length > 0 ? quick : await uprightFaces(picture, { detector, landmarks });
  const widest = Math.max(...faces.map(({ width }) => width));
  const near = faces.filter(({ width }) => width >= besideMin * widest);
  if (near.length === 0) return 'no_face';
  return near.length === 1 ? 'fine' : 'several_faces';
}
