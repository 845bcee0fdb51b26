/**
 * The closed lists of values in the interface (specification 2.6, 3, 5.4; decisions 29, 33). Workflows import this file, so it
 * must not import zod.
 */

export const environments = ['sandbox', 'live'] as const;
export type Environment = (typeof environments)[number];

/** The methods of verification that a partner can choose. */
export const methods = ['document_liveness', 'idin', 'document_only'] as const;
export type ChosenMethod = (typeof methods)[number];
export const defaultMethod: ChosenMethod = 'document_liveness';

/** All methods. An income check has the same life as a verification, with a method and an interface of its own. */
export const allMethods = [...methods, 'income'] as const;
export type Method = (typeof allMethods)[number];
export const isIncome = (method: Method): method is 'income' => method === 'income';

export const scenarios = ['approved', 'review', 'rejected'] as const;
export type Scenario = (typeof scenarios)[number];

export const verificationStatuses = ['pending', 'in_progress', 'completed'] as const;
export type VerificationStatus = (typeof verificationStatuses)[number];

export const outcomes = ['approved', 'review', 'rejected'] as const;
export type Outcome = (typeof outcomes)[number];

/** What a reviewer can decide. */
export const reviewOutcomes = ['approved', 'rejected'] as const satisfies readonly Outcome[];
export type ReviewOutcome = (typeof reviewOutcomes)[number];

/** Who decides on the documents of an organisation in live (decision 44). The first value is the default. */
export const decisionRules = ['people', 'machine_may_reject', 'machine_may_decide'] as const;
export type DecisionRule = (typeof decisionRules)[number];

export const assuranceLevels = ['low', 'substantial', 'high'] as const;
export type AssuranceLevel = (typeof assuranceLevels)[number];

export const grants = ['verify:create', 'verify:read', 'webhooks:manage'] as const;
export type Grant = (typeof grants)[number];

export const webhookEnvironments = ['all', ...environments] as const;
export type WebhookEnvironment = (typeof webhookEnvironments)[number];

export const checkKinds = [
  'document_integrity',
  'document_expiry',
  'mrz_check_digits',
  'data_consistency',
  'face_match',
  'liveness',
  'eid_authentication',
] as const;

/** The checks of an income check. Each is about one document, or about all of them together. */
export const incomeCheckKinds = [
  'file_integrity',
  'revision_history',
  'digital_signature',
  'content_complete',
  'arithmetic',
  'period',
  'legal_minimum',
  'bank_account',
  'name_match',
  'duplicate',
  'citizen_service_number',
] as const;
export type IncomeCheckKind = (typeof incomeCheckKinds)[number];

export type IdentityCheckKind = (typeof checkKinds)[number];
export type CheckKind = IdentityCheckKind | IncomeCheckKind;

/** The documents that tell an income. */
export const incomeDocumentTypes = [
  'payslip',
  'uwv_statement',
  'annual_statement',
  'employer_statement',
] as const;
export type IncomeDocumentType = (typeof incomeDocumentTypes)[number];

export const payFrequencies = ['weekly', 'four_weekly', 'monthly', 'yearly'] as const;
export type PayFrequency = (typeof payFrequencies)[number];

export const checkResults = ['passed', 'failed', 'doubt', 'not_applicable'] as const;
export type CheckResult = (typeof checkResults)[number];

/** The pictures that an end user takes on the hosted page. */
export const pictureKinds = ['passport_page', 'card_front', 'card_back', 'selfie'] as const;
export type PictureKind = (typeof pictureKinds)[number];

/**
 * The evidence that an end user gives on the hosted page. `movements` are frames of the person who moves as asked, `bank` is a confirmation
 * by the example bank of sandbox, and `papers` are the documents that tell an income.
 */
export const evidenceKinds = [...pictureKinds, 'movements', 'bank', 'papers'] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

/** The pictures of a document. In live they are kept until the masked copy stands. */
export const originalKinds = ['passport_page', 'card_front', 'card_back'] as const satisfies EvidenceKind[];
export type OriginalKind = (typeof originalKinds)[number];

/** What a quick look at a picture can tell the person to do better (docs/choices/quick-answers.md). It is never a verdict. */
export const advices = [
  'no_document',
  'other_document',
  'wrong_side',
  'same_side',
  'no_zone',
  'unreadable',
  'expired',
  'no_face',
  'several_faces',
  'movements_unclear',
  'movements_missing',
] as const;
export type Advice = (typeof advices)[number];

/** The result of a quick look. `unknown` means that the look itself failed, which says nothing about the picture. */
export const lookResults = ['fine', 'unknown', ...advices] as const;
export type LookResult = (typeof lookResults)[number];

/** What a person is told about before Send. */
export const lookedAtKinds = [...pictureKinds, 'movements'] as const satisfies EvidenceKind[];
export type LookedAtKind = (typeof lookedAtKinds)[number];

/** What the product makes of a document: the masked copies, the photograph of the holder, and what was read of it where (`fields`). */
export const madeKinds = ['masked_front', 'masked_back', 'portrait', 'fields'] as const;
export type MadeKind = (typeof madeKinds)[number];

/**
 * How the browser says that it got a picture: from the live camera of the page, from the camera of the device, or as a file. It is a
 * browser's word, so it proves nothing.
 */
export const pictureSources = ['live_camera', 'capture_input', 'upload'] as const;
export type PictureSource = (typeof pictureSources)[number];

/** For whom a masked copy is: for the member who has to decide, or for a file. */
export type CopyUse = 'review' | 'kept';

/** All that can be stored as evidence. */
export type StoredKind = EvidenceKind | MadeKind;

/** What an end user consents to, each with its own tick (decision 47): the use of the document, measuring the face, the data of the bank, the documents of the income. */
export const consentItems = ['document', 'face', 'bank', 'income'] as const;
export type ConsentItem = (typeof consentItems)[number];

/** The languages of the hosted page. The first language is the default. */
export const languages = ['nl', 'en'] as const;
export type Language = (typeof languages)[number];
/** The languages that the hosted pages of an organisation have. */
export const languageChoices = ['nl,en', 'nl', 'en'] as const;
export type LanguageChoice = (typeof languageChoices)[number];

export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The reasons why an attempt can fail (decision 33). The reasons are fixed words, so that no reason reveals an IP address. */
export const attemptReasons = [
  'http_status',
  'redirect_not_followed',
  'timed_out',
  'connection_failed',
  'connection_lost',
  'tls_failed',
  'malformed_answer',
  'name_not_resolved',
  'address_not_allowed',
  'outcome_unknown',
] as const;
export type AttemptReason = (typeof attemptReasons)[number];

/** The phases of an attempt, in order (decision 29). In the phase `body`, the status of the answer has already arrived. */
export const attemptPhases = ['url', 'resolve', 'connect', 'tls', 'send', 'headers', 'body'] as const;
export type AttemptPhase = (typeof attemptPhases)[number];

export const deliveryTriggers = ['event', 'resend', 'test'] as const;
export type DeliveryTrigger = (typeof deliveryTriggers)[number];
