import { limits } from '#contract/limits.ts';

/** What a group of columns says of a person, why it is stored, and for how long. */
type Processing = { columns: string; says: string; purpose: string; period: string };

const years = Math.floor(limits.verificationRetentionDays / 365);
const verification = `as long as the verification: ${years} years after the end of the business relationship, or after the completion if no end is reported; ${limits.abandonedRetentionDays} days after the link if nobody finished it`;
const untilErased = `${verification}; an erasure removes it at once`;
const bodies = `${limits.eventBodyRetentionDays} days`;
const claims = `${limits.idempotencyRetentionHours} hours`;
const pictures =
  "photographs of a document and frames of movements: until the masked copy is made; the others: 30 days after Send, or the organisation's `evidence_days`, and no longer than until a member has decided; until the link expires if nobody sent them, at most 48 hours after they were taken; an erasure removes all at once";

/** Every column that holds personal data of an end user, or of a member of an organisation, by table. */
export const processing: Readonly<Record<string, readonly Processing[]>> = {
  verifications: [
    {
      columns: 'id, org_id, environment, method, dossier_ref, link_version, link_key_id',
      says: 'a pseudonym of the end user, and who asked how',
      purpose: 'to carry out the verification, and to find it again',
      period: verification,
    },
    {
      columns:
        'status, link_expires_at, submitted_at, pictures_taken, created_at, completed_at, completed_by, cancelled_at, withdrawn_at, erased_at, maskings_begun, reopened_at, run_due_since',
      says: 'what the end user did, and when',
      purpose: 'to show how the verification went',
      period: verification,
    },
    {
      columns: 'reference',
      says: "the partner's own reference of the end user",
      purpose: 'the partner finds its customer by it',
      period: untilErased,
    },
    {
      columns: 'verdict',
      says: 'the verdict, its checks and its reasons',
      purpose: 'the result that the organisation asked for',
      period: verification,
    },
    {
      columns: 'relation_ended_at, relation_continues',
      says: 'the end of the business relationship',
      purpose: 'the law counts the period from it',
      period: verification,
    },
  ],
  evidence: [
    {
      columns: 'picture',
      says: 'photographs of the document, which can show the BSN, its masked copies, the portrait on it, the photograph of the face, frames of the movements of the head, the answer of a bank, and what a computer read of a document that a person has to decide about: name, number, dates, sex, nationality, state, and where they stand; all encrypted',
      purpose: 'the checks, and the assessment by a person',
      period: pictures,
    },
    {
      columns: 'verification_id, kind, org_id, environment, sha256, source, taken_at, expires_at, advised',
      says: 'which photographs there are; the hash of each; whether the browser says that it is from the live camera, the camera of the device, or a file',
      purpose: 'to prove later which photograph was examined',
      period: pictures,
    },
    {
      columns: 'look, examined_ahead',
      says: 'what a quick look and an examination before Send found about a photograph; no text of the document',
      purpose: 'to advise the end user, and to have a result soon after Send',
      period: pictures,
    },
  ],
  income_checks: [
    {
      columns: 'verification_id, org_id, linked_id, document_types',
      says: 'of which verification the end user is, and which documents were asked for',
      purpose: 'to ask for the right documents, and to compare the name',
      period: verification,
    },
    {
      columns: 'judgement',
      says: 'what the documents of an income say: employer, periods, amounts, and what speaks against them; encrypted',
      purpose: 'the answer to the organisation, and the assessment by a person',
      period: verification,
    },
  ],
  income_files: [
    {
      columns: '*',
      says: 'the documents of an income as they came, until they were read; then pictures of their pages without the BSN; both encrypted; and their hashes',
      purpose: 'the checks, and the assessment by a person',
      period: pictures,
    },
  ],
  income_hashes: [
    {
      columns: '*',
      says: 'hashes of the documents of an income and of their words',
      purpose: 'to find a document that somebody hands in again',
      period: verification,
    },
  ],
  examinations: [
    {
      columns: 'verification_id, number, checks, makings, engine, created_at',
      says: 'the results of the automatic checks, and what made them; no text of the document and no description of a face',
      purpose: 'the verdict is computed from them',
      period: verification,
    },
  ],
  data_keys: [
    {
      columns: 'verification_id, org_id, value, created_at',
      says: 'the key that encrypts what is stored of the end user',
      purpose: 'to destroy it is to erase',
      period: untilErased,
    },
  ],
  commands: [
    {
      columns: 'verification_id, request_id, name, data, created_at',
      says: 'a step of the end user that is not carried out yet, with the consent',
      purpose: 'to carry out the step',
      period: `until it is carried out, at most ${claims}`,
    },
    {
      columns: 'personal',
      says: 'internet address and browser of a consent, encrypted',
      purpose: 'proof that the end user agreed',
      period: `until it is carried out, at most ${claims}; an erasure removes it at once`,
    },
  ],
  ledger: [
    {
      columns: 'subject_id, sequence, org_id, type, data, previous_hash, hash, created_at',
      says: 'each step of the verification with its time, the consent, the verdict, hashes of photographs, and members who reviewed; of a member, each sign-in and change of the account, by id',
      purpose: 'proof that nothing was changed',
      period: `${verification}. One line stays that says when it was removed`,
    },
  ],
  ledger_personal: [
    {
      columns: 'subject_id, sequence, org_id, value',
      says: 'the reference, internet address and browser of the consent, and what a bank confirmed of the end user, encrypted',
      purpose: 'proof that the end user agreed, and of who they are',
      period: untilErased,
    },
  ],
  events: [
    {
      columns: 'id, org_id, environment, type, verification_id, created_at',
      says: 'that the partner was told a verdict',
      purpose: 'to deliver it once',
      period: `the link to the verification: ${verification}. The row stays for statistics`,
    },
    {
      columns: 'body',
      says: 'reference, verdict and reasons, as they are sent',
      purpose: 'every attempt sends the same bytes',
      period: `${bodies}, or until no delivery is open; an erasure removes the reference at once`,
    },
  ],
  delivery_attempts: [
    {
      columns: 'answer',
      says: "the first bytes of the receiver's answer, encrypted; it can repeat the event",
      purpose: "the organisation's developers find faults",
      period: `${bodies}; an erasure removes it at once`,
    },
    {
      columns: 'heads',
      says: "headers of the request and of the receiver's answer, encrypted; those of the answer can repeat the event",
      purpose: "the organisation's developers find faults",
      period: `${bodies}; an erasure removes it at once`,
    },
  ],
  eid_transactions: [
    {
      columns: '*',
      says: 'which bank the end user chose, when, and how the visit ended; the address of its page, encrypted',
      purpose: 'to ask the bank how the visit ended',
      period: `${untilErased}; a withdrawal before Send removes it at once`,
    },
  ],
  review_claims: [
    {
      columns: '*',
      says: 'which member reviews which verification',
      purpose: 'two members must not review the same one',
      period: 'until the member has decided or gives it back; else as long as the verification',
    },
  ],
  review_decisions: [
    {
      columns:
        'id, verification_id, org_id, environment, member_id, number, eyes, outcome, reason_ids, concludes, queued_at, claimed_at, claimed_until, created_at, due_at, recorded_at',
      says: 'what a member decided about a verification, with reasons and times',
      purpose: 'a person makes the final assessment, and it can be shown who did',
      period: verification,
    },
    {
      columns: 'note',
      says: 'what the member wrote for colleagues, encrypted; it can be about the end user',
      purpose: 'colleagues understand the decision later',
      period: untilErased,
    },
  ],
  members: [
    {
      columns: 'email, password_hash, totp_secret, totp_step, time_zone',
      says: 'e-mail address and time zone of a member or an operator; a slow hash of the password; the second factor, encrypted',
      purpose: 'members sign in to the console',
      period:
        'until an owner of the organisation removes the member, or the command console:invite the operator',
    },
    {
      columns: 'id, org_id, role, language, has_shortcuts, let_in_by, created_at, joined_at, disabled_at',
      says: 'a number that stands for a member, the role, and who let in whom',
      purpose: 'the history shows who decided, and who let in whom',
      period: 'as long as the organisation is a customer; of operators, as long as the service runs',
    },
  ],
  member_sessions: [
    {
      columns: '*',
      says: 'each signed-in browser of a member: its name and its internet address (of IPv6 the network)',
      purpose: 'members see where they are signed in, and end it',
      period: '12 hours at most signed in, then until anybody of the organisation signs in',
    },
  ],
  member_links: [
    {
      columns: '*',
      says: 'that a member is invited or chooses a new password; the link itself only as a hash',
      purpose: 'the link works once',
      period: 'until it is used or replaced',
    },
  ],
  member_recovery_codes: [
    {
      columns: '*',
      says: 'hashes of the recovery codes of a member',
      purpose: 'a member without the phone can sign in',
      period: 'until each is used or replaced',
    },
  ],
  member_passkeys: [
    {
      columns: '*',
      says: "the public halves of a member's passkeys, the names that the member gave them, and their last use",
      purpose: 'members sign in with a device instead of a password',
      period: 'until the member removes it, or chooses a new password by a link',
    },
  ],
  delivery_orders: [
    {
      columns: 'member_id',
      says: 'the number of the member who ordered that deliveries are sent again',
      purpose: 'it can be shown who did',
      period: 'as long as the organisation is a customer',
    },
  ],
  requests: [
    {
      columns: 'id, org_id, environment, operation, status, answer_status, verification_id, created_at',
      says: 'that a verification was asked for',
      purpose: 'a repeated request must not create a second verification',
      period: `${limits.requestRetentionDays} days`,
    },
    {
      columns: 'input, answer, fingerprint, idempotency_key',
      says: 'the reference and the link, or a dossier that a member ordered; the answer and the hash of what was asked are encrypted',
      purpose: 'a repeated request gets the same answer',
      period: `${claims}; an erasure removes the answer at once`,
    },
  ],
  organisations: [
    {
      columns: 'contact',
      says: 'whom an end user can ask; it can name a member of the organisation',
      purpose: 'the page shows it',
      period: 'until the operator changes it',
    },
  ],
  api_keys: [
    {
      columns: 'name',
      says: 'what the operator called the key; it can name a developer',
      purpose: 'to tell keys apart, also later in the history',
      period: 'as long as the organisation is a customer; so a key is not called after a person',
    },
  ],
};

/** The columns that say nothing of a person. A star stands for all columns of the table. */
export const notPersonal: Readonly<Record<string, string>> = {
  organisations:
    'id, name, erase_by_key, created_at, decisions, display_name, purpose, privacy_url, colour, return_url, languages, offers_other_way, evidence_days, cover_portrait, review_eyes, paused, removals_warned_until',
  organisation_logos: '*',
  eid_contracts: '*',
  api_keys:
    'id, org_id, environment, display, hash, grants, rate_limit, created_at, expires_at, revoked_at, replaced_by, last_used_at',
  verifications: 'scenario',
  requests: 'key_id',
  commands: 'key_id',
  delivery_attempts: 'delivery_id, number, started_at, duration_ms, outcome, reason, phase, response_status',
  deliveries: '*',
  webhook_endpoints: '*',
  deactivations: '*',
  delivery_orders:
    'id, org_id, endpoint_id, kind, created_from, created_before, expected, place_at, place_id, looked_at, sent, more_left, created_at, ended_at',
  request_log: '*',
  leases: '*',
  purges: '*',
  // A count for each organisation and month, of which no single verification can be told.
  removed_usage: '*',
  used_forms: '*',
  migrations: '*',
};

const code = (columns: string) =>
  columns === '*'
    ? 'all'
    : columns
        .split(', ')
        .map((column) => `\`${column}\``)
        .join(', ');

export const processingRows = (): string[][] => [
  ['Table', 'Columns', 'What they say', 'Purpose', 'Kept'],
  ...Object.entries(processing).flatMap(([table, groups]) =>
    groups.map(({ columns, says, purpose, period }) => [
      `\`${table}\``,
      code(columns),
      says,
      purpose,
      period,
    ]),
  ),
];
