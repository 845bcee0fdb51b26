import type { LivenessFinding, MeasuredFrame, Movement } from '#contract/movements.ts';
import type { Check } from '#contract/workflows.ts';
import { faceBands } from './faces.ts';
import { median, type Seen, strongest, type Track, trackOf } from './movements/track.ts';

/**
 * The bounds of the movements. Angles are in degrees as `MeasuredFrame` has them, and `closer` is by how much the face becomes wider. A movement
 * counts from `seenMin` on. Below `weakShare` of it there is none: a print on paper that was turned by hand stayed there. Below `middleShare`
 * of it is the middle. Other lengths are shares of the width of the frame, or of the face (docs/choices/liveness.md). A change of a number
 * gets a new version.
 */
export const livenessBounds = {
  version: 'movements 1',
  seenMin: { turn: 13, lift: 11, closer: 0.22 },
  weakShare: 0.75,
  middleShare: 0.6,
  framesMin: 12,
  gapMsMax: 2_500,
  lostShareMax: 0.25,
  severalShareMax: 0.1,
  widthMin: 0.12,
  repeatedMax: 1,
  /** The most that a head does between two frames that are at most so far apart. */
  jump: { withinMs: 400, place: 0.9, size: 1.6, turn: 60 },
  /** The largest distance of a face from that of the first frame, while it looks ahead: beyond it is doubt, or another face. */
  changes: { doubt: 0.4, failed: 0.6 },
} as const;

/** The bounds as the history and the dossier name them. */
export const livenessThreshold = `${livenessBounds.version}: turned by ${livenessBounds.seenMin.turn}, lifted by ${livenessBounds.seenMin.lift}, wider by ${livenessBounds.seenMin.closer}, and ${faceBands.version}`;

/** The check of the movements. */
export type JudgedMovements = Check & { finding?: LivenessFinding };

/**
 * Judges whether the frames show one person, who is the person on the selfie, and who moved in the order that was asked for. `timesMs` are the
 * browser's times. The result is `failed` only for what is certain, and `doubt` for what could not be measured well.
 *
 * The confidence is no probability that somebody was there: a recording of the same movements looks the same. It says how clearly the
 * weakest part was seen. It is 0 if it could not be measured, and never above 0.9.
 */
export function judgeLiveness(
  asked: readonly Movement[],
  timesMs: readonly number[],
  frames: readonly MeasuredFrame[],
): JudgedMovements {
  const seen = frames
    .map((frame, index): Seen => ({ ...frame, ms: timesMs[index] ?? Number.NaN }))
    .filter(({ faces }) => faces > 0);
  if (seen.filter(({ repeated }) => repeated).length > livenessBounds.repeatedMax)
    return certain('movements_frames_repeated');
  const unclear = notMeasured(timesMs, frames, seen);
  if (unclear !== undefined) return doubt(unclear);
  const track = trackOf(seen, livenessBounds);
  if (track.neutral.width < livenessBounds.widthMin) return doubt('movements_face_too_small');
  if (isBroken(timesMs, track.frames)) return certain('movements_jump');
  const isFullySeen = seen.length >= frames.length * (1 - livenessBounds.lostShareMax / 2);
  const moved = movementsIn(track, asked, isFullySeen);
  const person = personIn(track);
  return [moved, person].find(({ result }) => result === 'failed') ?? worst(moved, person);
}

const check = (result: Check['result'], confidence: number, finding?: LivenessFinding): JudgedMovements => ({
  ...{ kind: 'liveness', result, confidence: Math.round(confidence * 100) / 100 },
  ...(finding !== undefined && { finding }),
});
const confidenceMax = 0.9;
const certain = (finding: LivenessFinding, confidence: number = confidenceMax) =>
  check('failed', confidence, finding);
const doubt = (finding: LivenessFinding, confidence = 0) => check('doubt', confidence, finding);

/** Of two results that did not fail, the one in doubt, and otherwise the less clear one. */
const worst = (a: JudgedMovements, b: JudgedMovements): JudgedMovements => {
  if (a.result !== b.result) return a.result === 'doubt' ? a : b;
  return a.confidence <= b.confidence ? a : b;
};

/** Whether the frames are not one recording: no clock goes backwards, and no head is suddenly elsewhere. */
function isBroken(timesMs: readonly number[], frames: readonly Seen[]): boolean {
  const { jump } = livenessBounds;
  if (timesMs.some((ms, index) => ms <= (timesMs[index - 1] ?? Number.NEGATIVE_INFINITY))) return true;
  return frames.some((frame, index) => {
    const last = frames[index - 1];
    if (last === undefined || frame.ms - last.ms > jump.withinMs) return false;
    const wide = Math.max(frame.width, last.width);
    const place = Math.hypot(frame.x - last.x, frame.y - last.y) / wide;
    const size = wide / Math.min(frame.width, last.width);
    return place > jump.place || size > jump.size || Math.abs(frame.turn - last.turn) > jump.turn;
  });
}

/** Why no way of a head can be followed through these frames. */
function notMeasured(
  timesMs: readonly number[],
  frames: readonly MeasuredFrame[],
  seen: readonly Seen[],
): LivenessFinding | undefined {
  const { framesMin, gapMsMax, lostShareMax, severalShareMax } = livenessBounds;
  const gaps = timesMs.map((ms, index) => ms - (timesMs[index - 1] ?? ms));
  if (frames.length < framesMin || timesMs.length !== frames.length || Math.max(...gaps) > gapMsMax)
    return 'movements_too_few_frames';
  if (seen.length < frames.length * (1 - lostShareMax)) return 'movements_face_lost';
  if (seen.filter(({ faces }) => faces > 1).length > seen.length * severalShareMax)
    return 'movements_several_faces';
  return undefined;
}

/** Whether the movements were made, each with a return to the middle after the one before, and no other. */
function movementsIn(
  { excursions }: Track,
  asked: readonly Movement[],
  isFullySeen: boolean,
): JudgedMovements {
  const clear = excursions.filter((most) => strongest(most) >= 1);
  const isUnclear = excursions.some((most) => isWeak(most) || isMixed(most));
  let found = 0;
  let others = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const most of clear) {
    const [next, last] = [asked[found], asked[found - 1]];
    if (next !== undefined && shows(most, next)) {
      found += 1;
      least = Math.min(least, most[next]);
    } // Who hesitates makes the same movement twice.
    else if (last === undefined || !shows(most, last)) others += 1;
  }
  if (found === asked.length && others === 0) return check('passed', clarity(least));
  if (found < asked.length && !isFullySeen) return doubt('movements_face_lost');
  if (found < asked.length && isUnclear) return doubt('movements_missing');
  if (clear.length === 0) return certain('movements_none');
  return certain(others > 0 ? 'movements_others' : 'movements_missing');
}

/** 0.5 where a movement just counts, and the most at twice that. */
const clarity = (strength: number) => Math.min(confidenceMax, 0.5 + 0.4 * (strength - 1));

type Most = Track['excursions'][number];
const isWeak = (most: Most) => strongest(most) < 1 && strongest(most) >= livenessBounds.weakShare;
/** To both sides without a middle between them. At a few frames a second, it may have been missed. */
const isMixed = (most: Most) => most.left >= 1 && most.right >= 1;

/** A head that turns is also lifted a little, so a movement need not be the strongest one. It is at least half as strong. */
const shows = (most: Most, movement: Movement) =>
  most[movement] >= Math.max(1, strongest(most) / 2) && !isMixed(most);

/** Whether the face is the same one over all frames, and that of the selfie. Only faces that look ahead are compared: a turn makes a distance. */
function personIn({ stretches, ahead }: Track): JudgedMovements {
  const { changes } = livenessBounds;
  const changed = Math.max(...stretches.map((frames) => median(known(frames, 'fromFirst'))));
  const fromSelfie = median(known(ahead, 'fromSelfie'));
  const likeness = (distance: number) => Math.min(Math.max(1 - distance / 1.2, 0), 1);
  if (changed > changes.failed) return certain('movements_face_changes', 1 - likeness(changed));
  if (fromSelfie > faceBands.doubtMax) return certain('movements_other_face', 1 - likeness(fromSelfie));
  if (Number.isNaN(fromSelfie + changed)) return doubt('movements_not_examined');
  if (changed > changes.doubt) return doubt('movements_face_changes', likeness(changed));
  if (fromSelfie > faceBands.passedMax) return doubt('movements_other_face', likeness(fromSelfie));
  return check('passed', Math.min(confidenceMax, likeness(fromSelfie)));
}

const known = (frames: readonly Seen[], key: 'fromFirst' | 'fromSelfie'): number[] =>
  frames.flatMap((frame) => frame[key] ?? []);
