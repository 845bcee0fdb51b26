import type { Change, ReadablePaper, Revision, Signature } from '#contract/income/papers.ts';
import { dayMs } from '#contract/time.ts';
import { doubt, type Finding, failed, notApplicable, passed, sign, together } from './finding.ts';

/** Whether the file was changed after it was made. */
export function revisionHistory(paper: ReadablePaper): Finding {
  return together([passed, ...paper.revisions.map(changed), ...dates(paper)]);
}

function changed({ readable, changes, redrawn, annotationsAdded }: Revision): Finding {
  if (!readable) return doubt(sign('earlier_state_unreadable'));
  const figures = changes.filter(({ before, after }) => /\d/.test(before + after));
  if (figures.length > 0) return failed(...figures.slice(0, signalsMax).map(signOf));
  if (changes.length > 0) return doubt(...changes.slice(0, signalsMax).map(signOf));
  if (redrawn) return failed(sign('redrawn_later'));
  return annotationsAdded ? doubt(sign('annotated_later')) : notApplicable;
}

const signalsMax = 20;
const signOf = ({ page, box, before, after }: Change) =>
  sign('changed_later', { ...{ page, box }, found: after || null, expected: before || null });

/** A paper that is signed was changed by its signature. */
function dates({ made, signatures }: ReadablePaper): Finding[] {
  const { createdAt, modifiedAt, xmpCreatedAt, xmpModifiedAt } = made;
  const isLater = (one: string | null, other: string | null) =>
    one !== null && other !== null && Date.parse(one) - Date.parse(other) > dayMs;
  const differs = isLater(createdAt, xmpCreatedAt) || isLater(xmpCreatedAt, createdAt);
  const isModified = isLater(modifiedAt, createdAt) || isLater(xmpModifiedAt, xmpCreatedAt);
  return [
    ...(isModified && signatures.length === 0
      ? [
          doubt(
            sign('modified_later', {
              found: modifiedAt ?? xmpModifiedAt,
              expected: createdAt ?? xmpCreatedAt,
            }),
          ),
        ]
      : []),
    ...(differs ? [doubt(sign('dates_differ', { found: xmpCreatedAt, expected: createdAt }))] : []),
  ];
}

/** A missing signature is no failure. It is in doubt only where the issuer signs every paper of this type. */
export function digitalSignature({ signatures }: ReadablePaper, isSignedType: boolean): Finding {
  const real = signatures.filter(({ kind }) => kind === 'signature');
  const missing = isSignedType ? doubt(sign('signature_missing')) : notApplicable;
  const all = signatures.map((each) => judged(each, isSignedType));
  const isTrusted = real.some(({ digest, chain }) => digest === 'holds' && chain === 'trusted');
  if (isSignedType && !isTrusted && real.length > 0) all.push(doubt(sign('signature_untrusted')));
  return real.length === 0 ? together([missing, ...all]) : together(all);
}

function judged({ kind, digest, chain, signer }: Signature, isSignedType: boolean): Finding {
  if (digest === 'broken') return failed(sign('signature_broken', { found: signer }));
  if (digest === 'unknown') return doubt(sign('signature_unknown', { found: signer }));
  if (kind === 'timestamp') return notApplicable;
  if (chain === 'trusted') return passed;
  // Without anchors nobody said whom to trust. Then a signature that holds says that nothing was changed since.
  if (chain === 'no_anchors' && !isSignedType) return notApplicable;
  return doubt(sign('signature_untrusted', { found: signer }));
}

/** Bytes behind the last signature are in doubt, unless they help to verify it. If they change a page, the history of revisions has failed. */
export function addedAfterSigning({ signatures }: ReadablePaper): Finding {
  const real = signatures.filter(({ kind }) => kind === 'signature');
  const last = Math.max(...signatures.map(({ end }) => end));
  const isOther = signatures.some(({ end, added }) => end === last && added === 'other');
  return real.length > 0 && isOther ? doubt(sign('added_after_signing')) : notApplicable;
}
