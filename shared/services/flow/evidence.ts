import type { EvidenceKind } from '#contract/enums.ts';
import type { Whose } from '#contract/workflows.ts';
import { evidenceOf } from '#store/evidence.ts';
import { scopeOfRequest } from '#store/scope.ts';
import type { lockVerification } from '#store/unscoped.ts';
import type { Context } from '../context.ts';

/** What binds a sealed picture to its row. */
export const evidenceContext = (verificationId: string, kind: string) => `evidence/${verificationId}/${kind}`;

type Locked = NonNullable<Awaited<ReturnType<typeof lockVerification>>>;

/** As long as the person has not handed everything in. */
export const takesMore = ({ status, submittedAt, linkExpiresAt, now }: Locked): boolean =>
  status === 'in_progress' && submittedAt === null && linkExpiresAt > now;

/** The pictures of the document, for the checks alone; undefined when they are no longer there. */
export async function documentPictures(
  ctx: Pick<Context, 'store' | 'secrets'>,
  { verificationId, ...whose }: Whose,
) {
  const found = await evidenceOf(scopeOfRequest(whose), ctx.store.db, verificationId).pictures([
    'passport_page',
    'card_front',
    'card_back',
  ]);
  const open = (kind: EvidenceKind) => {
    const sealed = found.find((each) => each.kind === kind)?.picture ?? null;
    return sealed && ctx.secrets.openBytes('evidence', evidenceContext(verificationId, kind), sealed);
  };
  const front = open('passport_page') ?? open('card_front');
  return front === null ? undefined : { front, back: open('card_back') };
}
