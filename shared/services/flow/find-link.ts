import type { ConsentItem, EvidenceKind } from '#contract/enums.ts';
import { type Ending, endingOf, mayAskForOtherWay, stepOf } from '#policy/flow.ts';
import { verificationMethods } from '#policy/methods/table.ts';
import { keptForEndUsers } from '#policy/retention.ts';
import type { Step } from '#policy/steps.ts';
import { evidenceOf } from '#store/evidence.ts';
import { type OrgScope, scopeOfLink } from '#store/scope.ts';
import { findLinkOfAnyOrganisation } from '#store/verifications.ts';
import type { Context } from '../context.ts';
import { idInToken, isGenuine } from '../verifications/link.ts';

/** A verification as the holder of its link may see it. The type gives no access to pictures. */
export type Link = Omit<
  NonNullable<Awaited<ReturnType<typeof findLinkOfAnyOrganisation>>>,
  'linkVersion' | 'linkKeyId' | 'offersOtherWay' | 'evidenceDays' | 'verdict'
> & {
  scope: OrgScope;
  received: readonly EvidenceKind[];
  step: Step;
  /** What the person must tick before the start. */
  consents: readonly ConsentItem[];
  kept: ReturnType<typeof keptForEndUsers>;
  /** True if the person may ask for another way than a photo of the face now. */
  mayDecline: boolean;
  /** What the last page tells. The page never gets the verdict itself. */
  ending: Ending;
};

export type LinkContext = Pick<Context, 'store' | 'secrets' | 'clock'>;

/** Returns undefined if the link is malformed, forged, replaced or unknown, or if its key is missing. */
export async function findLink(ctx: LinkContext, token: string): Promise<Link | undefined> {
  const id = idInToken(token);
  const source = id === undefined ? undefined : await findLinkOfAnyOrganisation(ctx.store.db, id);
  // If SECRETS_KEY no longer contains the key of a link, the link cannot be checked.
  if (source === undefined || !ctx.secrets.keyIds.includes(source.linkKeyId)) return undefined;
  if (!isGenuine(ctx.secrets, token, source)) return undefined;
  const scope = scopeOfLink(source);
  const evidence = await evidenceOf(scope, ctx.store.db, source.id).received();
  const received = evidence.map(({ kind }) => kind);
  const step = stepOf({
    ...source,
    submitted: source.submittedAt !== null,
    linkExpired: source.linkExpiresAt <= ctx.clock.now(),
    cancelled: source.cancelledAt !== null,
    received,
  });
  const { consents } = verificationMethods[source.method];
  const { offersOtherWay, evidenceDays, verdict, linkVersion: _, linkKeyId: __, ...shown } = source;
  const mayDecline = offersOtherWay && mayAskForOtherWay(source.method, step);
  const ending = endingOf(verdict);
  const kept = keptForEndUsers(evidenceDays);
  return { ...shown, scope, received, step, consents, kept, mayDecline, ending };
}
