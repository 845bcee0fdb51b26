import { keptMs } from '#policy/retention.ts';
import type { DossierRows } from '#store/dossiers.ts';
import type { Dossier } from './dossier.ts';
import { iso } from './times.ts';

const dayMs = 86_400_000;

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
    verification.completedAt === null
      ? retained('verification', 'abandoned_verifications', 'the end of the link', [
          verification.linkExpiresAt,
        ])
      : retained('verification', 'completed_verifications', 'the completion', [verification.completedAt]),
  ];
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
