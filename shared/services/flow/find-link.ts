import {
  type Advice,
  type ConsentItem,
  type EvidenceKind,
  type IncomeDocumentType,
  isIncome,
  type Language,
  type Method,
} from '#contract/enums.ts';
import { adviceShown, awaitsLook } from '#policy/advice.ts';
import { type Ending, endingOf, mayAskForOtherWay, stepOf } from '#policy/flow.ts';
import { verificationMethods } from '#policy/methods/table.ts';
import { languagesOf, returnTo } from '#policy/organisation-settings.ts';
import { keptForEndUsers } from '#policy/retention.ts';
import type { Step } from '#policy/steps.ts';
import { aheadMax, type Wait, waitOf } from '#policy/waiting.ts';
import { type OrgScope, scopeOfLink } from '#store/database/scope.ts';
import { eidContractOf } from '#store/organisations/eid-contracts.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import { countSentBeforeOfAnyOrganisation, examinationsOf } from '#store/verifications/examinations.ts';
import { incomeChecksOf } from '#store/verifications/income-checks.ts';
import { incomeFilesOf } from '#store/verifications/income-files.ts';
import { findLinkOfAnyOrganisation } from '#store/verifications/verifications.ts';
import type { Context } from '../context.ts';
import { idInToken, isGenuine } from '../views/link.ts';
import { type BankStage, bankStageOf, isAtBank } from './bank/stage.ts';

/** A verification, and what its organisation shows to end users, as they are stored. */
export type StoredLink = NonNullable<Awaited<ReturnType<typeof findLinkOfAnyOrganisation>>>;

/** A verification as the holder of its link may see it. The type gives no access to pictures. */
export type Link = Omit<
  StoredLink,
  'linkKeyId' | 'offersOtherWay' | 'evidenceDays' | 'verdict' | 'returnUrl' | 'logo' | 'languages'
> & {
  scope: OrgScope;
  received: readonly EvidenceKind[];
  /** When each of them arrived. A browser that has the picture in its memory can tell whether another device replaced it. */
  receivedAt: ReadonlyMap<EvidenceKind, Date>;
  /** What the person should do better, by picture. */
  advice: Partial<Record<EvidenceKind, Advice>>;
  /** True if advice on a picture may still come. */
  awaitsLook: boolean;
  step: Step;
  /** What the person must tick before the start. */
  consents: readonly ConsentItem[];
  kept: ReturnType<typeof keptForEndUsers>;
  /** True if the person may ask for another way than a photo of the face now. */
  mayDecline: boolean;
  /** The SHA-256 of the organisation's logo, in hex. Null if it has none. */
  logo: string | null;
  /** The languages that the pages have. */
  languages: readonly Language[];
  /** Where the person goes after the last page. It carries the id of the verification and nothing else. */
  returnTo: string | null;
  /** How far the machine is at the step `checking`. At every other step `reading`. */
  stage: Stage;
  /** How long the step `checking` still takes, by the length of the queue. At every other step `seconds`. */
  wait: Wait;
  /** How far the person is with the bank. Null at every other step than `bank`, and in sandbox without a simulator. */
  bank: BankStage | null;
  /** The documents of an income check that were handed in, without what they say. Always empty in sandbox, which stores none. */
  papers: readonly { id: string; size: number }[];
  /** The types that an income check asks for. Null if any will do, and for every other method. */
  documentTypes: readonly IncomeDocumentType[] | null;
  /** What the last page tells. The page never gets the verdict itself. */
  ending: Ending;
};

/** The document is read, or the verdict is being written. */
export type Stage = 'reading' | 'deciding';

export type LinkContext = Pick<Context, 'store' | 'secrets' | 'clock' | 'simulator'>;

/** Returns undefined if the link is malformed, forged, replaced or unknown, or if its key is missing. */
export async function findLink(ctx: LinkContext, token: string): Promise<Link | undefined> {
  const id = idInToken(token);
  const source = id === undefined ? undefined : await findLinkOfAnyOrganisation(ctx.store.db, id);
  // If SECRETS_KEY no longer contains the key of a link, the link cannot be checked.
  if (source === undefined || !ctx.secrets.keyIds.includes(source.linkKeyId)) return undefined;
  return isGenuine(ctx.secrets, token, source) ? readLink(ctx, scopeOfLink(source), source) : undefined;
}

/** Adds to what is stored what follows from it. */
export async function readLink(ctx: LinkContext, scope: OrgScope, source: StoredLink): Promise<Link> {
  const place = { scope, id: source.id, now: ctx.clock.now() };
  const evidence = await evidenceOf(scope, ctx.store.db, source.id).received();
  const received = evidence.map(({ kind }) => kind);
  const receivedAt = new Map(evidence.map(({ kind, takenAt }) => [kind, takenAt]));
  const step = stepOf({
    ...source,
    submitted: source.submittedAt !== null,
    linkExpired: source.linkExpiresAt <= place.now && !(await isAtBank(ctx.store.db, place)),
    cancelled: source.cancelledAt !== null,
    received,
    connected: await isConnected(ctx, scope, source),
  });
  const advice = Object.fromEntries(evidence.map((each) => [each.kind, adviceShown(each)]));
  const { consents } = verificationMethods[source.method];
  const { offersOtherWay, evidenceDays, verdict, linkKeyId: _, ...rest } = source;
  const { returnUrl, logo, languages, ...shown } = rest;
  const progress = step === 'checking' ? await progressOf(ctx, scope, source) : before;
  const mayDecline = offersOtherWay && mayAskForOtherWay(source.method, step);
  const ending = endingOf(verdict);
  const kept = keptForEndUsers(evidenceDays);
  const bank = step === 'bank' ? await bankStageOf(ctx, ctx.store.db, place) : null;
  const income = isIncome(source.method) ? await incomeOf(ctx, scope, source.id) : noIncome;
  return {
    ...{ ...shown, scope, received, receivedAt, advice, step, consents, kept, mayDecline, ending, bank },
    ...progress,
    ...income,
    awaitsLook: awaitsLook(scope.environment, evidence),
    logo: logo?.toString('hex') ?? null,
    languages: languagesOf(languages),
    returnTo: returnTo(returnUrl, source),
  };
}

type Income = Pick<Link, 'papers' | 'documentTypes'>;

const noIncome: Income = { papers: [], documentTypes: null };

async function incomeOf({ store: { db } }: LinkContext, scope: OrgScope, id: string): Promise<Income> {
  const files = await incomeFilesOf(scope, db, id).list();
  const asked = await incomeChecksOf(scope, db).asked(id);
  return {
    papers: files.map(({ id: paper, size }) => ({ id: paper, size })),
    documentTypes: asked?.documentTypes ?? null,
  };
}

/** Only a method that needs a contract asks for it. */
const isConnected = async (
  { store: { db } }: LinkContext,
  scope: OrgScope,
  { method }: { method: Method },
): Promise<boolean> =>
  verificationMethods[method].unavailable[scope.environment] !== undefined &&
  (await eidContractOf(scope, db).works());

type Progress = Pick<Link, 'stage' | 'wait'>;

const before: Progress = { stage: 'reading', wait: 'seconds' };

/** The rows say it: the checks are stored before the verdict. Sandbox examines nothing. */
async function progressOf(
  { store: { db } }: LinkContext,
  scope: OrgScope,
  { id, submittedAt }: { id: string; submittedAt: Date | null },
): Promise<Progress> {
  const examined = (await examinationsOf(scope, db, id).found()).length > 0;
  if (examined) return { stage: 'deciding', wait: 'seconds' };
  if (submittedAt === null || scope.environment !== 'live') return before;
  const ahead = await countSentBeforeOfAnyOrganisation(db, { id, submittedAt }, aheadMax);
  return { stage: 'reading', wait: waitOf(ahead) };
}
