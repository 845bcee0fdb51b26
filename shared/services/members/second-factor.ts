import { totpEnrolment, totpStep } from '#platform/sign-in/totp.ts';
import type { Db } from '#store/database/connection.ts';
import { type Write, writeAtOnce } from '#store/database/statements.ts';
import { sessionsOf } from '#store/members/member-sessions.ts';
import { memberWritesOf, waysInOf } from '#store/members/members.ts';
import { provenPassword } from './account.ts';
import type { Device, MemberContext } from './context.ts';
import { lockSignedIn, noteOwn, ownLine } from './note.ts';
import { hashOfRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { beginSession, type SignedIn } from './sessions.ts';

const secretBytes = 20;

/** Binds the sealed secret of an authenticator app to its member. */
export const totpBinding = (memberId: string): string => `member/${memberId}`;

/**
 * The secret that this session offers to an authenticator app. It follows from the session, so that a page that shows it stores nothing
 * and shows the same secret when it is loaded again.
 */
const offeredSecret = ({ secrets }: MemberContext, { sessionId, memberId }: SignedIn): Buffer =>
  secrets
    .mac('totp-secret', secrets.newestKeyId, `offered/${memberId}/${sessionId}`)
    .subarray(0, secretBytes);

export const offerSecondFactor = (ctx: MemberContext, member: SignedIn, issuer: string) =>
  totpEnrolment(offeredSecret(ctx, member), {
    label: [member.organisation, member.email].filter((part) => part !== '').join(':'),
    issuer,
  });

export type Begun = { token: string; recoveryCodes: string[] };

/**
 * Stores the second factor if the code shows that the app has it, and replaces the recovery codes. The other sessions of the member end,
 * and this one gets a new token. Returns undefined if the code is wrong, or if this session has ended.
 */
export async function confirmSecondFactor(
  ctx: MemberContext,
  member: SignedIn,
  code: string,
  device: Device,
): Promise<Begun | undefined> {
  const secret = offeredSecret(ctx, member);
  const step = totpStep(secret, code, ctx.clock.now());
  if (step === undefined) {
    await noteOwn(ctx, member, 'account.code_refused', { kind: 'setup' });
    return undefined;
  }
  const { scopes, memberId } = member;
  const totpSecret = ctx.secrets.seal('totp-secret', totpBinding(memberId), secret);
  return ctx.store.transaction(async (tx) => {
    const locked = await lockSignedIn(tx, member);
    if (locked === undefined) return undefined;
    const { now: at } = locked;
    const changed = memberWritesOf(scopes.live, tx).change(memberId, { totpSecret, totpStep: step });
    const line = await ownLine(tx, scopes.live, memberId, { type: 'account.second_factor_set', at });
    await writeAtOnce(tx, [changed, waysInOf(scopes.live, tx, memberId).dropRecoveryCodes(), ...line]);
    const recoveryCodes = await storeRecoveryCodes(tx, member);
    return { token: await renewSession(tx, member, { device, at }), recoveryCodes };
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
async function renewSession(
  tx: Db,
  { scopes, memberId }: SignedIn,
  begun: { device: Device; at: Date },
): Promise<string> {
  await writeAtOnce(tx, [sessionsOf(scopes.live, tx, memberId).endAll()]);
  const session = beginSession(tx, scopes.live, memberId, { isFull: true, ...begun });
  await writeAtOnce(tx, session.writes);
  return session.token;
}

/**
 * Completes a sign-in with a code of the app or with a recovery code. Each works once. Returns the token of the session that takes the
 * place of the half one. Undefined if the code is wrong or was used, which is a line, or if the half session has ended.
 */
export const giveCode = (
  ctx: MemberContext,
  member: SignedIn,
  given: { code: string; isRecoveryCode: boolean },
  device: Device,
): Promise<string | undefined> =>
  ctx.store.transaction(async (tx) => {
    const { scopes, memberId, sessionId } = member;
    const row = await lockSignedIn(tx, member);
    if (row === undefined || row.totpSecret === null) return undefined;
    const used = given.isRecoveryCode
      ? await useRecoveryCode(tx, member, given.code)
      : acceptCode(ctx, tx, { ...row, scopes }, given.code);
    if (used === undefined) {
      const data = { kind: given.isRecoveryCode ? 'recovery_code' : 'code' };
      const refused = { type: 'account.code_refused', at: row.now, data } as const;
      await writeAtOnce(tx, await ownLine(tx, scopes.live, memberId, refused));
      return undefined;
    }
    const session = beginSession(tx, scopes.live, memberId, { isFull: true, device, at: row.now });
    const half = sessionsOf(scopes.live, tx, memberId).endOne(sessionId);
    const data = { with: given.isRecoveryCode ? 'recovery_code' : 'code' };
    const line = await ownLine(tx, scopes.live, memberId, { type: 'account.signed_in', at: row.now, data });
    await writeAtOnce(
      tx,
      [half, session.writes[0], ...used, ...line].flatMap((each) => each ?? []),
    );
    return session.token;
  });

type Locked = { id: string; totpSecret: Buffer | null; totpStep: number | null; now: Date } & Pick<
  SignedIn,
  'scopes'
>;

/** Uses up the recovery code. Undefined if there is no such code, or if it was used. */
async function useRecoveryCode(
  tx: Db,
  { scopes, memberId }: Pick<SignedIn, 'scopes' | 'memberId'>,
  code: string,
): Promise<Write[] | undefined> {
  const hash = hashOfRecoveryCode(memberId, code);
  return (await waysInOf(scopes.live, tx, memberId).useRecoveryCode(hash)) ? [] : undefined;
}

/** Builds the write that uses up the code. Undefined if the code is wrong, or is not newer than the last one that was used. */
function acceptCode(ctx: MemberContext, tx: Db, locked: Locked, code: string): Write[] | undefined {
  const { id, totpSecret, totpStep: last, now, scopes } = locked;
  if (totpSecret === null) return undefined;
  const secret = ctx.secrets.openBytes('totp-secret', totpBinding(id), totpSecret);
  const step = totpStep(secret, code, now);
  if (step === undefined || (last !== null && step <= last)) return undefined;
  return [memberWritesOf(scopes.live, tx).change(id, { totpStep: step })];
}

/** Replaces the recovery codes, if the password is right and the session is still open. */
export async function renewRecoveryCodes(
  ctx: MemberContext,
  member: SignedIn,
  password: string,
): Promise<string[] | 'wrong'> {
  const { scopes, memberId } = member;
  const proven = await provenPassword(ctx, member, password);
  if (proven === undefined) return 'wrong';
  return ctx.store.transaction(async (tx) => {
    const locked = await lockSignedIn(tx, member, proven);
    if (locked === undefined) return 'wrong';
    const line = await ownLine(tx, scopes.live, memberId, {
      ...{ type: 'account.recovery_codes_renewed', at: locked.now },
    });
    await writeAtOnce(tx, [waysInOf(scopes.live, tx, memberId).dropRecoveryCodes(), ...line]);
    return storeRecoveryCodes(tx, member);
  });
}

export const recoveryCodesLeft = (
  { store }: MemberContext,
  { scopes, memberId }: SignedIn,
): Promise<number> => waysInOf(scopes.live, store.db, memberId).recoveryCodesLeft();
