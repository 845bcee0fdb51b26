/** A worker examines one document or two at a time, and one takes at most so long on a core that has no other work. In seconds. */
const examinationSeconds = 3;

/** More are not counted, since the words would be the same. */
export const aheadMax = 200;

/** How long a person waits at most for the result, in words that a page can say. */
export type Wait = 'seconds' | 'half_minute' | 'minute' | { minutes: number };

/**
 * The wait of a person after Send. `ahead` is how many documents were sent before and are not examined yet. Several workers are faster, so
 * this is too long rather than too short.
 */
export function waitOf(ahead: number): Wait {
  const seconds = (ahead + 1) * examinationSeconds;
  if (seconds <= 15) return 'seconds';
  if (seconds <= 30) return 'half_minute';
  return seconds <= 60 ? 'minute' : { minutes: Math.ceil(seconds / 60) };
}
