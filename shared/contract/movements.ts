/**
 * What a person does before the camera, so that the frames show somebody who is there and hears what is asked. Sides are those of the
 * person. Workflows may import this file, so it must not import zod.
 */
export const movements = ['left', 'right', 'up', 'closer'] as const;
export type Movement = (typeof movements)[number];

/** How many movements are asked for, one after the other. The same one never comes twice in a row. */
export const movementsAsked = 3;

/** How long a browser has for the movements after it asked for them, in seconds: the usual time, and that of who needs more. */
export const patiences = ['usual', 'longer'] as const;
export type Patience = (typeof patiences)[number];
export const movementSeconds: Readonly<Record<Patience, number>> = { usual: 60, longer: 180 };

/** Bounds of what a browser sends. Sizes are in bytes. */
export const frameLimits = {
  count: { min: 12, max: 90 },
  bytesMax: 150_000,
  totalBytesMax: 5_000_000,
} as const;

/** What the server measures again on one frame. Lengths are shares of the width of the frame. It says nothing about what a face looks like. */
export type MeasuredFrame = {
  /** How many faces count. A much smaller one in the background does not. */
  faces: number;
  /** Of the widest face: its width, and its middle. 0 where there is none. */
  width: number;
  x: number;
  y: number;
  /** How far the head is turned to the person's left (above 0) or right, and lifted, in degrees as far as points of a face show them. */
  turn: number;
  lift: number;
  /** How far this face is from that of the first frame, and from the selfie, as distances of `face_match`. Null where it was not compared. */
  fromFirst: number | null;
  fromSelfie: number | null;
  /** True if the frame is the same picture as an earlier one. */
  repeated: boolean;
};

/** Why the check of the movements did not pass. */
export const livenessFindings = [
  'movements_declined',
  'movements_not_examined',
  'movements_too_few_frames',
  'movements_face_lost',
  'movements_several_faces',
  'movements_face_too_small',
  'movements_frames_repeated',
  'movements_jump',
  'movements_none',
  'movements_missing',
  'movements_others',
  'movements_face_changes',
  'movements_other_face',
] as const;
export type LivenessFinding = (typeof livenessFindings)[number];
