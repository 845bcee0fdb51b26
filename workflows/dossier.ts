import type { DossierMade, MakeDossier } from '#contract/workflows.ts';
import { makeDossier } from './activities.ts';

/** Has a dossier made that a member ordered. Order and dossier are a row, so nobody gets one through Temporal. */
export function dossier(order: MakeDossier): Promise<DossierMade> {
  return makeDossier(order);
}
