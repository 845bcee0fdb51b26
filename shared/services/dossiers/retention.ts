import { dayMs } from '#contract/time.ts';
import { keptMs } from '#policy/retention.ts';
import type { DossierRows } from '#store/verifications/dossiers.ts';
import type { Dossier } from './dossier.ts';
import { iso } from './times.ts';

type Retention = Dossier['retention'][number];
type Rows = Pick<DossierRows, 'verification' | 'evidence' | 'events' | 'deliveries'>;

/** What is kept of the verification, for how long, and until when. Housekeeping deletes it within hours after that. */
export function retentionOf({ verification, evidence, events, deliveries }: Rows): Retention[] {
  const attempts = deliveries.flatMap((delivery) => delivery.attempts);
  const pictures = evidence.filter(({ hasPicture }) => hasPicture).map(({ expiresAt }) => expiresAt);
  const bodies = events.filter(({ hasBody }) => hasBody).map(({ createdAt }) => createdAt);
  const excerpts = attempts
    .filter(({ hasExcerpt }) => hasExcerpt)
    .map(({ startedAt }) => new Date(startedAt));
  return [
    {
      what: 'pictures',
      days: verification.evidenceDays,
      counted_from: 'the submission; before it, pictures end with the link',
      until: pictures.length === 0 ? null : iso(latest(pictures)),
    },
    retained('event_bodies', 'event_bodies', 'the event', bodies),
    retained('response_excerpts', 'response_excerpts', 'the attempt', excerpts),
    ofVerification(verification),
  ];
}

function ofVerification({
  completedAt,
  linkExpiresAt,
  relationEndedAt,
  relationContinues,
}: Rows['verification']): Retention {
  if (completedAt === null)
    return retained('verification', 'abandoned_verifications', 'the end of the link', [linkExpiresAt]);
  const completed = (countedFrom: string, times: readonly Date[]) =>
    retained('verification', 'completed_verifications', countedFrom, times);
  if (relationContinues)
    return completed('the end of the business relationship, which is not reported yet', []);
  return relationEndedAt === null
    ? completed('the completion', [completedAt])
    : completed('the end of the business relationship', [relationEndedAt]);
}

/** `times` are those of what is still kept. */
function retained(
  what: string,
  kind: keyof typeof keptMs,
  countedFrom: string,
  times: readonly Date[],
): Retention {
  const until = times.length === 0 ? null : iso(new Date(latest(times).getTime() + keptMs[kind]));
  return { what, days: keptMs[kind] / dayMs, counted_from: countedFrom, until };
}

const latest = (times: readonly Date[]) => new Date(Math.max(...times.map((at) => at.getTime())));
