import {
  type Movement,
  movementSeconds,
  movements,
  movementsAsked,
  type Patience,
} from '#contract/movements.ts';
import { oneOf } from '#platform/crypto/random.ts';
import { jsonOf } from '#platform/json.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import type { Context } from '../../context.ts';
import type { Link } from '../find-link.ts';
import { keepEvidence } from '../hand-in.ts';
import { type Frames, framed, framesIn } from './frames.ts';

/** Why the frames of the movements are not taken. */
export const movementFaults = ['movements_too_late', 'not_frames'] as const;
export type MovementFault = (typeof movementFaults)[number];

/** What a person is asked to do. `nonce` says so to the server again, so nothing of it is stored before the frames are. */
export type Asked = { nonce: string; movements: readonly Movement[] };

type MovementsContext = Pick<Context, 'store' | 'secrets' | 'clock' | 'instruments'>;

/** What a nonce holds. It is sealed for one verification, so the frames of another one do not fit. */
type Sealed = { movements: Movement[]; askedAtMs: number; endsAtMs: number };

const binding = ({ id, linkVersion }: Link): string => `movements/${id}/${linkVersion}`;

/**
 * Chooses movements by chance. Undefined if the person asked too often: each time counts as a picture, so that nobody asks until the
 * movements of a recording come.
 */
export async function askForMovements(
  { store, secrets, clock }: MovementsContext,
  link: Link,
  patience: Patience,
): Promise<Asked | undefined> {
  if (!(await verificationsOf(link.scope, store.db).countPicture(link.id))) return undefined;
  const chosen = someMovements();
  const askedAtMs = clock.now().getTime();
  const sealed: Sealed = {
    ...{ movements: chosen, askedAtMs },
    endsAtMs: askedAtMs + movementSeconds[patience] * 1_000,
  };
  const nonce = secrets.seal('movements', binding(link), JSON.stringify(sealed)).toString('base64url');
  return { nonce, movements: chosen };
}

/** The same movement twice in a row could not be told from one. */
function someMovements(): Movement[] {
  const chosen: Movement[] = [];
  while (chosen.length < movementsAsked) {
    const next = oneOf(movements);
    if (next !== chosen.at(-1)) chosen.push(next);
  }
  return chosen;
}

/**
 * Stores the frames of the movements, or returns why not. `sentAt` is when the first byte of the request came: a slow line may take longer
 * than the time for the movements. In sandbox they are looked through as in live, and not stored.
 */
export async function handInMovements(
  ctx: MovementsContext,
  link: Link,
  { nonce, sentAt, bytes }: { nonce: string; sentAt: Date; bytes: Buffer },
): Promise<MovementFault | 'too_many' | undefined> {
  if (!(await verificationsOf(link.scope, ctx.store.db).countPicture(link.id))) return 'too_many';
  const sealed = opened(ctx, link, nonce);
  const frames = framesIn(bytes);
  const fault = faultOf(sealed, frames, sentAt.getTime());
  const { environment } = link;
  ctx.instruments.flowSteps.add(1, { step: 'movements', outcome: fault ?? 'done', environment });
  if (fault !== undefined || sealed === undefined || frames === undefined) return fault;
  const kept = environment === 'live' ? framed(sealed.movements, frames) : null;
  await keepEvidence(ctx, link, 'movements', { bytes: kept, source: 'live_camera' });
  return undefined;
}

/** Records that the person goes on without movements. */
export const goWithoutMovements = (ctx: MovementsContext, link: Link): Promise<void> =>
  keepEvidence(ctx, link, 'movements', { bytes: null, source: null });

/** A nonce of another verification or of an earlier link, and what is none at all, come too late. */
function faultOf(
  sealed: Sealed | undefined,
  frames: Frames | undefined,
  sentAtMs: number,
): MovementFault | undefined {
  if (sealed === undefined || sentAtMs > sealed.endsAtMs) return 'movements_too_late';
  const lasted = frames?.times.at(-1);
  if (lasted === undefined) return 'not_frames';
  // Nobody moves for longer than since they were asked. A browser's clock may run a little fast.
  return lasted > (sentAtMs - sealed.askedAtMs) * 1.1 + 500 ? 'not_frames' : undefined;
}

function opened({ secrets }: MovementsContext, link: Link, nonce: string): Sealed | undefined {
  try {
    const sealed = jsonOf(secrets.open('movements', binding(link), Buffer.from(nonce, 'base64url')));
    return sealed as Sealed;
  } catch {
    return undefined;
  }
}
