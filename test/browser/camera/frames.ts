import sharp from 'sharp';
import { drawn } from '../../support/specimens/card.ts';
import { eriksson, type Person } from '../../support/specimens/people.ts';
import { photograph, type Variant } from '../../support/specimens/photograph.ts';
import { inventedFace, withPortrait } from '../../support/specimens/with-portrait.ts';

type Size = { width: number; height: number };

/** A screen, and what its camera sees, in pixels. A phone is held upright. Both have the pixels that the page asks for. */
export type Scene = { screen: Size; video: Size };
export const onPhone: Scene = {
  screen: { width: 390, height: 844 },
  video: { width: 1440, height: 1920 },
};
export const onDesk: Scene = {
  screen: { width: 1200, height: 800 },
  video: { width: 1920, height: 1440 },
};

/** The frame of the page in pixels of the video, which fills the screen: its width, and its middle. `capture.css` has the shares. */
function frameIn({ screen, video }: Scene, shape: 'document' | 'face') {
  const scale = Math.max(screen.width / video.width, screen.height / video.height);
  const [ofWidth, ofHeight] = shape === 'document' ? [0.92, 0.8] : [0.7, 0.4];
  return {
    width: Math.min(ofWidth * screen.width, ofHeight * screen.height) / scale,
    middle: video.height / 2 - (0.06 * screen.height) / scale,
  };
}

type Seen = { scene?: Scene; variant?: Variant; person?: Person };

/** A specimen that fills the frame of the page. */
export async function documentFrame(
  side: 'passport' | 'front' | 'back',
  { scene = onPhone, variant = {}, person = eriksson }: Seen = {},
): Promise<Buffer> {
  const { front, back } = drawn({ format: side === 'passport' ? 'TD3' : 'TD1', person });
  const drawing = side === 'back' && back !== null ? back : await withPortrait(front);
  const seen = sharp(await photograph(drawing, variant));
  const frame = frameIn(scene, 'document');
  const width = Math.round((frame.width * 0.95) / 0.72);
  const height = Math.round(width * 0.75);
  return onTable(await seen.resize({ width, height }).toBuffer(), { width, height }, scene, frame.middle);
}

/** A drawn face in the oval. */
export async function faceFrame(scene: Scene = onPhone): Promise<Buffer> {
  const frame = frameIn(scene, 'face');
  const width = Math.round(frame.width * 1.29);
  const height = Math.round((width * 450) / 350);
  const face = await sharp(inventedFace)
    .resize({ width, height })
    .flatten({ background: '#c8ccd0' })
    .toBuffer();
  return onTable(face, { width, height }, scene, frame.middle);
}

/** A picture that takes all that the camera of a phone sees, or is whole in the middle of it. */
export const sceneFrame = (picture: Buffer, fit: 'cover' | 'contain' = 'cover'): Promise<Buffer> =>
  sharp(picture)
    .resize({ ...onPhone.video, fit, background: '#b8c0c8' })
    .jpeg({ quality: 90 })
    .toBuffer();

/** A picture that is repeated over all that the camera of a phone sees, so small that its structure is sharp. */
export const tiledFrame = async (picture: Buffer): Promise<Buffer> =>
  sharp({ create: { ...onPhone.video, channels: 3, background: '#b8c0c8' } })
    .composite([{ input: await sharp(picture).resize({ width: 720 }).toBuffer(), tile: true }])
    .jpeg({ quality: 90 })
    .toBuffer();

const onTable = (input: Buffer, size: Size, { video }: Scene, middle: number): Promise<Buffer> =>
  sharp({ create: { ...video, channels: 3, background: '#5a5a5a' } })
    .composite([
      {
        input,
        left: Math.round((video.width - size.width) / 2),
        top: Math.max(0, Math.round(middle - size.height / 2)),
      },
    ])
    .jpeg({ quality: 90 })
    .toBuffer();
