import type { LivenessFinding } from './movements.ts';
import type { Check } from './workflows.ts';

/** Why two faces could not be compared. `faces_not_compared` means that the comparison itself failed, or that a picture was gone. */
export const faceFindings = [
  'portrait_not_found',
  'several_portraits',
  'portrait_too_small',
  'face_not_found',
  'several_faces',
  'face_too_small',
  'faces_not_compared',
] as const;
export type FaceFinding = (typeof faceFindings)[number];

/**
 * What a check says besides its result. `bank_simulated`: the simulator answered, which identifies nobody. `selfie_may_be_recaptured`: the
 * photo of the face may show a screen, a print or a copy. It is a hint, and changes no result.
 */
export type Finding = FaceFinding | LivenessFinding | 'bank_simulated' | 'selfie_may_be_recaptured';

/** What made a check. `version` names the product and the parts that read. */
export type Engine = { name: string; version: string };

/**
 * Who made a check, and by which rule. `threshold` names a version of the rule, and its numbers. `finding` says why the check could not be
 * made, or what else is to be known of it. Null where an older version of the product recorded none.
 */
export type Making = { engine: Engine | null; threshold: string | null; finding: Finding | null };

/** A check as an examination stores it. */
export type MadeCheck = Check & Making;
