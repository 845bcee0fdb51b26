import type { Language } from '#contract/enums.ts';
import { type ReasonId, reasons } from '#policy/reasons.ts';

/** The text of a reason of the catalogue. An id that a newer version wrote is shown as it is. */
export const reasonIn = (language: Language, id: string): string => reasons[id as ReasonId]?.[language] ?? id;
