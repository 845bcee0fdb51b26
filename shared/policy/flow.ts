import type { Environment, EvidenceKind, Method, VerificationStatus } from '#contract/enums.ts';

/** Where a person stands on the hosted page. The last four have nothing to press. */
export type Step =
  | 'welcome'
  | 'document'
  | 'card_back'
  | 'selfie'
  | 'bank'
  | 'confirm'
  | 'checking'
  | 'done'
  | 'expired'
  | 'no_bank';

export type Standing = {
  environment: Environment;
  method: Method;
  status: VerificationStatus;
  submitted: boolean;
  linkExpired: boolean;
  taken: readonly EvidenceKind[];
};

/** The one table of what is asked for when (decision 6). Pure. */
export function stepOf({ environment, method, status, submitted, linkExpired, taken }: Standing): Step {
  if (status === 'completed') return 'done';
  if (submitted) return 'checking';
  if (linkExpired) return 'expired';
  if (method === 'idin' && environment === 'live') return 'no_bank';
  if (status === 'pending') return 'welcome';
  return missing(method, taken) ?? 'confirm';
}

/** The first thing that is still lacking. */
export function missing(method: Method, taken: readonly EvidenceKind[]): Step | undefined {
  const has = (kind: EvidenceKind) => taken.includes(kind);
  if (method === 'idin') return has('bank') ? undefined : 'bank';
  if (!has('passport_page') && !has('card_front')) return 'document';
  if (has('card_front') && !has('card_back')) return 'card_back';
  if (method === 'document_liveness' && !has('selfie')) return 'selfie';
  return undefined;
}

const documents = ['passport_page', 'card_front', 'card_back'] as const;

/** What each method takes. A live bank would answer by itself; only the sandbox's is stood in for on the page. */
export const takes = (environment: Environment, method: Method): readonly EvidenceKind[] =>
  method === 'idin'
    ? environment === 'sandbox'
      ? ['bank']
      : []
    : method === 'document_liveness'
      ? [...documents, 'selfie']
      : documents;

/** A person shows one document: pages of a passport take the place of sides of a card, and the other way round. */
export const replacedBy = (kind: EvidenceKind): readonly EvidenceKind[] =>
  kind === 'passport_page'
    ? ['card_front', 'card_back']
    : kind === 'card_front' || kind === 'card_back'
      ? ['passport_page']
      : [];

const takingPictures: readonly Step[] = ['document', 'card_back', 'selfie', 'confirm'];

/** Whether the step takes this: pictures as long as nothing was sent, the bank's confirmation while it is asked for. */
export const takesAt = (step: Step, kind: EvidenceKind): boolean =>
  kind === 'bank' ? step === 'bank' : takingPictures.includes(step);
