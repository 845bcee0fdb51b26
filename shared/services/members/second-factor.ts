import { passwordMatches } from '#platform/password.ts';
import { totpEnrolment, totpStep } from '#platform/totp.ts';
import type { Db } from '#store/connection.ts';
import { sessionsOf } from '#store/member-sessions.ts';
import { membersOf, memberWritesOf, waysInOf } from '#store/members.ts';
import { writeAtOnce } from '#store/statements.ts';
import type { Device, MemberContext } from './context.ts';
import { beginSession, type SignedIn } from './sessions.ts';
import { hashOfRecoveryCode, newRecoveryCodes, totpBinding } from './totp.ts';

const secretBytes = 20;

/**
 * The secret that this session offers to an authenticator app. It follows from the session, so that a page that shows it stores nothing
 * and shows the same secret when it is loaded again.
 */
const offeredSecret = ({ secrets }: MemberContext, { sessionId, memberId }: SignedIn): Buffer =>
  secrets
    .mac('totp-secret', secrets.newestKeyId, `offered/${memberId}/${sessionId}`)
    .subarray(0, secretBytes);

export const offerSecondFactor = (ctx: MemberContext, member: SignedIn, issuer: string) =>
  totpEnrolment(offeredSecret(ctx, member), { label: `${member.organisation}:${member.email}`, issuer });

export type Begun = { token: string; recoveryCodes: string[] };

/**
 * Stores the second factor if the code shows that the app has it, and replaces the recovery codes. The other sessions of the member end,
 * and this one gets a new token. Returns undefined if the code is wrong.
 */
export async function confirmSecondFactor(
  ctx: MemberContext,
  member: SignedIn,
  code: string,
  device: Device,
): Promise<Begun | undefined> {
  const secret = offeredSecret(ctx, member);
  const step = totpStep(secret, code, ctx.clock.now());
  if (step === undefined) return undefined;
  const { scopes, memberId } = member;
  const totpSecret = ctx.secrets.seal('totp-secret', totpBinding(memberId), secret);
  return ctx.store.transaction(async (tx) => {
    await membersOf(scopes.live, tx).lockSecrets(memberId);
    const changed = memberWritesOf(scopes.live, tx).change(memberId, { totpSecret, totpStep: step });
    await writeAtOnce(tx, [changed, waysInOf(scopes.live, tx, memberId).dropRecoveryCodes()]);
    const recoveryCodes = await storeRecoveryCodes(tx, member);
    return { token: await renewSession(tx, member, device), recoveryCodes };
  });
}

async function storeRecoveryCodes(tx: Db, { scopes, memberId }: SignedIn): Promise<string[]> {
  const codes = newRecoveryCodes();
  await waysInOf(scopes.live, tx, memberId)
    .keepRecoveryCodes(codes.map((code) => hashOfRecoveryCode(memberId, code)))
    .execute();
  return codes;
}

/** Ends all sessions of the member, and begins a full one for this browser. */
async function renewSession(tx: Db, { scopes, memberId }: SignedIn, device: Device): Promise<string> {
  const sessions = sessionsOf(scopes.live, tx, memberId);
  const { now: at } = await membersOf(scopes.live, tx).lockOrganisation();
  await writeAtOnce(tx, [sessions.endAll()]);
  const session = beginSession(tx, scopes.live, memberId, { isFull: true, device, at });
  await writeAtOnce(tx, session.writes);
  return session.token;
}

/**
 * Completes a sign-in with a code of the app or with a recovery code. Each works once. Returns the token of the session that takes the
 * place of the half one. Undefined if the code is wrong or was used.
 */
export const giveCode = (
  ctx: MemberContext,
  { scopes, memberId, sessionId }: SignedIn,
  given: { code: string; isRecoveryCode: boolean },
  device: Device,
): Promise<string | undefined> =>
  ctx.store.transaction(async (tx) => {
    const row = await membersOf(scopes.live, tx).lockSecrets(memberId);
    if (row === undefined || row.totpSecret === null) return undefined;
    const write = given.isRecoveryCode ? undefined : acceptCode(ctx, tx, { ...row, scopes }, given.code);
    if (write === undefined && !given.isRecoveryCode) return undefined;
    if (given.isRecoveryCode) {
      const hash = hashOfRecoveryCode(memberId, given.code);
      if (!(await waysInOf(scopes.live, tx, memberId).useRecoveryCode(hash))) return undefined;
    }
    const session = beginSession(tx, scopes.live, memberId, { isFull: true, device, at: row.now });
    const half = sessionsOf(scopes.live, tx, memberId).end(sessionId);
    await writeAtOnce(
      tx,
      [half, session.writes[0], ...(write ? [write] : [])].flatMap((each) => each ?? []),
    );
    return session.token;
  });

type Locked = { id: string; totpSecret: Buffer | null; totpStep: number | null; now: Date } & Pick<
  SignedIn,
  'scopes'
>;

/** Builds the write that uses up the code. Undefined if the code is wrong, or is not newer than the last one that was used. */
function acceptCode(ctx: MemberContext, tx: Db, locked: Locked, code: string) {
  const { id, totpSecret, totpStep: last, now, scopes } = locked;
  if (totpSecret === null) return undefined;
  const secret = ctx.secrets.openBytes('totp-secret', totpBinding(id), totpSecret);
  const step = totpStep(secret, code, now);
  if (step === undefined || (last !== null && step <= last)) return undefined;
  return memberWritesOf(scopes.live, tx).change(id, { totpStep: step });
}

/** Replaces the recovery codes, if the password is right. */
export async function renewRecoveryCodes(
  { store }: MemberContext,
  member: SignedIn,
  password: string,
): Promise<string[] | 'wrong'> {
  const { scopes, memberId } = member;
  const row = await store.transaction((tx) => membersOf(scopes.live, tx).lockSecrets(memberId));
  if (!(await passwordMatches(password, row?.passwordHash))) return 'wrong';
  return store.transaction(async (tx) => {
    await membersOf(scopes.live, tx).lockSecrets(memberId);
    await waysInOf(scopes.live, tx, memberId).dropRecoveryCodes().execute();
    return storeRecoveryCodes(tx, member);
  });
}

export const recoveryCodesLeft = (
  { store }: MemberContext,
  { scopes, memberId }: SignedIn,
): Promise<number> => waysInOf(scopes.live, store.db, memberId).recoveryCodesLeft();
