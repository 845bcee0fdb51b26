import { loadFaceTools } from '#activities/checks/face/tools.ts';
import { type Movement, movements } from '#contract/movements.ts';
import { framesOf } from './recording.ts';
import { drawnSource } from './sources.ts';

export type { Movement } from '#contract/movements.ts';

/** Pictures of a drawn head on its way into each movement, as JPEGs in base64, the middle first. */
export type Poses = Record<Movement, string[]>;

export const size = { width: 640, height: 480 } as const;

/** Draws the poses of a head, and the photo of its face. */
export async function posing(): Promise<{ poses: Poses; selfie: Buffer }> {
  const { portrait } = await drawnSource(await loadFaceTools());
  const still = { seed: 5, ...size, scale: 85, sway: 0, noise: 0, quality: 92 };
  const into = async (movement: Movement) => {
    const plan = {
      movements: [movement],
      middleMs: 0,
      movementMs: 700,
      backMs: 0,
      easeMs: 600,
      reactionMs: 0,
    };
    const frames = await framesOf(portrait, plan, { ...still, everyMs: 60 });
    return frames.map(({ jpeg }) => jpeg.toString('base64'));
  };
  const poses = {} as Poses;
  for (const movement of movements) poses[movement] = await into(movement);
  const [ahead] = await framesOf(
    portrait,
    { movements: [] },
    { ...still, width: 1280, height: 960, scale: 220 },
  );
  if (ahead === undefined) throw new Error('No face was drawn');
  return { poses, selfie: ahead.jpeg };
}
