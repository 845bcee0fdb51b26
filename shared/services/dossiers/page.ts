import { isIncome } from '#contract/enums.ts';
import { sha256Hex } from '#platform/crypto/crypto.ts';
import type { Content, PdfPages } from '#platform/pdf.ts';
import type { Dossier, Root } from './dossier.ts';
import {
  fields,
  freeText,
  hashText,
  muted,
  notice,
  paragraph,
  section,
  sentence,
  strong,
  tableSection,
  titleBlock,
  words,
} from './layout.ts';
import { review } from './review.ts';
import { dossierText } from './sign.ts';

/** The dossier for people. It is made of the JSON alone, and holds the JSON as an attachment. */
export function dossierPages(dossier: Dossier): PdfPages {
  const { header } = dossier;
  const bytes = Buffer.from(dossierText(dossier));
  return {
    title: `Verification dossier ${header.dossier_ref}`,
    subject: `Verification ${header.verification_id} for ${header.organisation}`,
    madeAt: new Date(header.made_at),
    footer: `${header.dossier_ref} · made ${time(header.made_at)}`,
    content: [
      titleBlock('Verification dossier', header.organisation, header.dossier_ref),
      ...(header.environment === 'sandbox'
        ? [notice('Sandbox: this is a test. No person was verified, and the checks were not made.')]
        : []),
      verification(dossier),
      verdict(dossier),
      ...review(dossier),
      consent(dossier),
      artefacts(dossier),
      checks(dossier),
      deliveries(dossier),
      retention(dossier),
      ledger(dossier),
      ...proof(dossier, sha256Hex(bytes)),
    ],
    attachment: {
      ...{ name: 'dossier.json', type: 'application/json', bytes },
      description: 'The dossier as data, for verify-dossier.mjs',
    },
  };
}

const verification = ({ header }: Dossier): Content =>
  fields([
    [isIncome(header.method) ? 'Income check' : 'Verification', header.verification_id],
    ['Dossier reference', header.dossier_ref],
    ['Organisation', freeText(header.organisation)],
    [
      "Organisation's reference",
      header.reference === null ? muted('none, or erased') : freeText(header.reference),
    ],
    ['Environment, method', `${header.environment}, ${words(header.method)}`],
    ['Status', words(header.status)],
    ['Created', time(header.created_at)],
    ['Submitted', timeOr(header.submitted_at, 'not yet')],
    ['Completed', timeOr(header.completed_at, 'not yet')],
    ['Product version', header.product_version],
  ]);

function verdict({ verdict }: Dossier): Content {
  if (verdict === null) return section('Verdict', paragraph('There is no verdict yet.'));
  return section(
    'Verdict',
    fields([
      ['Outcome', { text: sentence(verdict.outcome), bold: true, fontSize: 11 }],
      ['Assurance level', words(verdict.assurance_level)],
      [
        'Reasons',
        { stack: verdict.reasons.map(({ id, text }) => ({ text: [`${text} `, muted(`(${id})`)] })) },
      ],
      ['Decided by', verdict.decided_by === null ? muted('unknown') : actor(verdict.decided_by)],
      ['Decided', timeOr(verdict.at, 'unknown')],
      ['Review by a person', verdict.reviewed ? 'yes' : 'no'],
      ['Line of the ledger', `${verdict.line ?? 'none'}`],
    ]),
  );
}

const consent = ({ consents }: Dossier): Content =>
  consents.length === 0
    ? section('Consent', paragraph('No consent was recorded: nobody has pressed Start on the hosted page.'))
    : tableSection(
        'Consent',
        ['*', 110, 110, 50],
        ['Time', 'Version of the text', 'Language', 'Line'],
        consents.map(({ at, version, language, line }) => [time(at), `${version}`, language, `${line}`]),
      );

const artefacts = ({ artefacts }: Dossier): Content =>
  artefacts.length === 0
    ? section('Artefacts', paragraph('Nothing was handed in.'))
    : tableSection(
        'Artefacts',
        ['*', 264, 110],
        ['Artefact', 'SHA-256', 'State'],
        artefacts.map(({ kind, sha256, source, line, taken_at, ...rest }) => [
          { stack: [strong(sentence(kind)), muted(line === null ? 'not submitted' : `line ${line}`)] },
          { stack: [hashText(sha256), muted(takenAs(taken_at, source))] },
          stateOf(rest),
        ]),
      );

const takenAs = (takenAt: string | null, source: string | null): string =>
  [
    ...(takenAt === null ? [] : [`taken ${time(takenAt)}`]),
    ...(source === null ? [] : [`by the browser's word: ${sentence(source).toLowerCase()}`]),
  ].join(', ');

function stateOf({
  state,
  kept_until,
  deletion_line,
}: Pick<Dossier['artefacts'][number], 'state' | 'kept_until' | 'deletion_line'>): Content {
  const more = {
    kept: `until ${time(kept_until ?? '')}`,
    deleted: deletion_line === null ? '' : `line ${deletion_line}`,
    not_stored: 'sandbox stores none',
  };
  return { stack: [sentence(state), muted(more[state])] };
}

const checks = ({ checks, header }: Dossier): Content =>
  checks.length === 0
    ? section('Checks', paragraph('No check was made.'))
    : tableSection(
        'Checks',
        ['*', 80, 70, 190],
        ['Check', 'Result', 'Confidence', 'Engine, version and threshold'],
        checks.map((check) => [
          check.document_id === undefined
            ? strong(sentence(check.kind))
            : { stack: [strong(sentence(check.kind)), muted(`document ${check.document_id}`)] },
          check.finding === null
            ? words(check.result)
            : { stack: [words(check.result), muted(words(check.finding))] },
          check.result === 'not_applicable' ? muted('not made') : check.confidence.toFixed(2),
          makingOf(check, header.environment),
        ]),
      );

function makingOf({ result, engine, threshold }: Dossier['checks'][number], environment: string): Content {
  if (engine === null) return muted(result === 'not_applicable' ? 'none' : engineless(environment));
  return { stack: [`${engine.name} ${engine.version}`, ...(threshold === null ? [] : [muted(threshold)])] };
}

const engineless = (environment: string) =>
  environment === 'sandbox' ? 'none: a sandbox result' : 'not recorded';

const deliveries = ({ deliveries }: Dossier): Content =>
  deliveries.length === 0
    ? section(
        'Deliveries of events',
        paragraph('No event was delivered: there was none, or no endpoint had subscribed.'),
      )
    : tableSection(
        'Deliveries of events',
        [150, 60, '*'],
        ['Event and delivery', 'Status', 'Attempts'],
        deliveries.map(deliveryRow),
      );

const deliveryRow = (delivery: Dossier['deliveries'][number]): (string | Content)[] => [
  {
    stack: [
      strong(delivery.event_type),
      hashText(delivery.delivery_id),
      ...(delivery.trigger === 'event' ? [] : [muted(words(delivery.trigger))]),
    ],
  },
  words(delivery.status),
  delivery.attempts.length === 0 ? muted('none yet') : { stack: delivery.attempts.map(attemptLine) },
];

type Attempt = Dossier['deliveries'][number]['attempts'][number];

const attemptLine = (attempt: Attempt): Content => ({
  columns: [
    { text: `${attempt.number}`, width: 14 },
    { text: time(attempt.started_at), width: 112 },
    { text: attempt.duration_ms === null ? '' : `${attempt.duration_ms} ms`, width: 48 },
    { text: outcomeOf(attempt), width: '*' },
  ],
});

const outcomeOf = ({ outcome, reason, response_status }: Attempt) =>
  [
    outcome === null ? 'running' : words(outcome),
    response_status === null ? '' : `HTTP ${response_status}`,
    reason === null || reason === 'http_status' ? '' : words(reason),
  ]
    .filter(Boolean)
    .join(', ');

const retention = ({ retention }: Dossier): Content =>
  tableSection(
    'Retention',
    [150, 40, '*', 130],
    ['What', 'Days', 'Period begins with', 'Kept until'],
    retention.map(({ what, days, counted_from, until }) => [
      strong(kept[what] ?? sentence(what)),
      `${days}`,
      counted_from,
      until === null
        ? muted(what === 'verification' ? 'as long as it goes on' : 'nothing is kept')
        : time(until),
    ]),
  );

const kept: Record<string, string> = {
  pictures: 'Pictures',
  event_bodies: 'Bodies of events',
  response_excerpts: "Excerpts of receivers' answers",
  verification: 'Verification and its ledger',
};

const ledger = ({ ledger }: Dossier): Content =>
  tableSection(
    'Ledger',
    [20, 104, '*', 84],
    ['Line', 'Time', 'Event, and the hash of the line', 'By'],
    ledger.map(({ sequence, at, type, hash, data }) => [
      `${sequence}`,
      time(at),
      { stack: [strong(type), hashText(hash)] },
      actor(data.actor),
    ]),
  );

const proof = ({ signed, root, ledger }: Dossier, fileHash: string): Content[] => [
  section(
    'Proof',
    fields([
      ['Signed with key', signed.key],
      ['SHA-256 of dossier.json', hashText(fileHash)],
      ['Signature', { stack: signed.signature.match(/.{1,64}/g)?.map(hashText) ?? [] }],
      ...(root === null ? unanchored : anchoredFields(root, ledger.length)),
    ]),
  ),
  {
    stack: [
      'This document shows what its attachment dossier.json says. The attachment is what counts. Save it, and check it with ' +
        'verify-dossier.mjs and the public key. Do not take the key from the one who gave you this document alone.',
      strong('node verify-dossier.mjs dossier.json --key KEY.pem'),
    ],
    margin: [0, 8, 0, 0],
  },
];

const unanchored: [string, Content][] = [
  ['Daily root', strong('not anchored yet')],
  ['', muted('The ends of all chains are signed once a day. Make the dossier again after that.')],
];

const anchoredFields = (root: Root, lines: number): [string, string | Content][] => [
  ['Daily root', `of ${root.day}, over the ends of ${statementOf(root).chains} chains`],
  ['Root', hashText(statementOf(root).merkle_root)],
  ['Vouches for', strong(root.line === 1 ? 'line 1' : `lines 1 to ${root.line}`)],
  ...(root.line < lines ? [['Not anchored yet', `from line ${root.line + 1} on`] as [string, string]] : []),
];

const statementOf = ({ statement }: Root): { chains: number; merkle_root: string } => JSON.parse(statement);

/** Who did what a line records. */
function actor(of: unknown): Content {
  const { kind, id } = (of ?? {}) as { kind?: string; id?: string | null };
  if (kind === 'machine') return 'the service';
  if (kind === 'person') return 'the person';
  if (kind === 'member') return { stack: ['a member', hashText(id ?? 'unknown')] };
  if (kind === 'key') return { stack: ['API key', hashText(id ?? 'unknown')] };
  return kind ?? 'unknown';
}

const time = (at: string) => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
const timeOr = (at: string | null, otherwise: string): string | Content =>
  at === null ? muted(otherwise) : time(at);
