import type {
  AttemptPhase,
  AttemptReason,
  CheckKind,
  CheckResult,
  DeliveryStatus,
  DeliveryTrigger,
  Environment,
  Method,
  VerificationStatus,
} from '#contract/enums.ts';
import type { Making } from '#contract/examinations.ts';

/** A change of the format gets a new number, because an older `verify-dossier.mjs` cannot check a newer dossier. */
export const dossierFormat = 'verification-dossier/1';

/**
 * Everything that the product knows about one verification, for an auditor. All times are in UTC. `line` is always the number of
 * a line in `ledger`. The dossier has no personal value but `reference`.
 */
export type Dossier = UnsignedDossier & { signed: SignedDossier };

export type UnsignedDossier = {
  format: typeof dossierFormat;
  header: DossierHeader;
  consents: Consent[];
  artefacts: Artefact[];
  checks: Check[];
  verdict: Verdict | null;
  deliveries: Delivery[];
  retention: Retention[];
  /** The whole chain. The hash of a line covers all its other fields. */
  ledger: Line[];
  /** Null if the daily root was not signed since the verification was created. */
  root: Root | null;
};

export type DossierHeader = {
  verification_id: string;
  dossier_ref: string;
  organisation: string;
  environment: Environment;
  method: Method;
  status: VerificationStatus;
  /** The partner's own reference. Null if the partner gave none, or if it was erased. */
  reference: string | null;
  created_at: string;
  submitted_at: string | null;
  completed_at: string | null;
  /** The time at which this dossier was made, and the version of the product that made it. */
  made_at: string;
  product_version: string;
};

/** `version` is that of the text to which the person consented. */
type Consent = { line: number; at: string; version: number; language: string };

type Artefact = {
  kind: string;
  /** SHA-256 of the picture, before it was encrypted. Null in sandbox, which stores no picture. */
  sha256: string | null;
  /** How the browser said that it got the picture, which proves nothing. Null if it said nothing, and for a masked copy. */
  source: string | null;
  /** The line of the submission, or that of the masking for a masked copy. Null before the person submitted. */
  line: number | null;
  /** `not_stored`: sandbox notes only that something was handed in. */
  state: 'kept' | 'deleted' | 'not_stored';
  taken_at: string | null;
  /** The end of its retention, if the picture is kept. */
  kept_until: string | null;
  /** The line that says that the picture was deleted. Null if it is kept, or if no line says so. */
  deletion_line: number | null;
};

/**
 * `engine` and `threshold` are null if the check was not made by an engine, or by a version of the product that did not record it.
 * `finding` says why faces could not be compared. `document_id` is there only if the check is about one document of an income check.
 */
type Check = { kind: CheckKind; result: CheckResult; confidence: number; document_id?: string } & Making;

type Verdict = {
  line: number | null;
  at: string | null;
  outcome: string;
  assurance_level: string;
  reasons: { id: string; text: string }[];
  /** True if a person has made the final assessment. */
  reviewed: boolean;
  decided_by: Record<string, unknown> | null;
};

type Delivery = {
  delivery_id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  trigger: DeliveryTrigger;
  status: DeliveryStatus;
  created_at: string;
  attempts: {
    number: number;
    started_at: string;
    duration_ms: number | null;
    outcome: string | null;
    reason: AttemptReason | null;
    phase: AttemptPhase | null;
    response_status: number | null;
  }[];
};

/** `until` is null if nothing of this kind is kept any more. */
type Retention = { what: string; days: number; counted_from: string; until: string | null };

export type Line = {
  subject_id: string;
  sequence: number;
  previous_hash: string;
  type: string;
  at: string;
  data: Record<string, unknown>;
  hash: string;
};

/**
 * The proof that line `line` was the end of the chain when the ends of all chains were signed. `statement` is the text that was
 * signed, byte for byte. `index` and `path` are an audit path of RFC 6962.
 */
export type Root = {
  day: string;
  line: number;
  statement: string;
  signature: string;
  index: number;
  path: string[];
};

/**
 * The signature covers the whole dossier: `end` is the hash of its last line, and `digests` has the SHA-256 of each other field. So a
 * field that was changed can be named.
 */
export type SignedDossier = {
  key: string;
  statement: {
    format: typeof dossierFormat;
    verification_id: string;
    made_at: string;
    lines: number;
    end: string;
    digests: Record<string, string>;
  };
  signature: string;
};
