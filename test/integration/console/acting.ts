import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect } from 'vitest';
import type { ConsoleRole } from '#contract/members.ts';
import { createSigner } from '#platform/crypto/ed25519.ts';
import { rootFiles } from '#platform/crypto/root-files.ts';
import { decideReview } from '#services/reviews/decide.ts';
import { reasonsFor } from '#test/integration/reviews/reasons.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { asOwner } from '#test/support/people/as-member.ts';
import { newAuthenticator } from '#test/support/people/authenticator.ts';
import { goodPassword, joins, newVisitor, type Visitor } from '#test/support/people/console.ts';
import { simulatedBanks } from '#test/support/people/idin.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { untilMasked } from '#test/support/rows/masked.ts';

/** A console with an owner, and what this owner can act on. */

const folder = await mkdtemp(join(tmpdir(), 'log-'));
atTheEnd(() => rm(folder, { recursive: true }));
const roots = rootFiles(folder, createSigner([Buffer.alloc(32, 29)]));
const { banks, simulator } = await simulatedBanks();
export const contract = simulator.text;
export const harness = await startHarness({ roots, banks, retryWaitsMs: [] });
export const { url } = await harness.startConsole({ mayUseLoopback: true });
export const { key, organisationId } = await harness.key({ org: 'Acme' });
export const owner = await joins(harness, url, { role: 'owner' });
export const member = (role: ConsoleRole = 'auditor') => joins(harness, url, { role });
export const send = (path: string, fields: Record<string, string | string[]> = {}, from = '/account') =>
  owner.visitor.submit(from, path, fields);

/** An operator who sends forms about the owner's organisation. Returns the operator's id. */
export async function byOperator(forms: (send: (action: string) => Promise<unknown>) => Promise<unknown>) {
  const { visitor, memberId } = await member('operator');
  const path = `/operator/organisations/${organisationId}`;
  await forms((action) => visitor.submit(path, `${path}/${action}`, { sure: 'yes' }));
  return memberId;
}

let visitors = 0;
export const browser = () => newVisitor(url, `198.51.100.${++visitors}`);
export const signIn = async (email: string): Promise<Visitor> => {
  const visitor = browser();
  await visitor.submit('/sign-in', '/sign-in', { email, password: goodPassword });
  return visitor;
};
export const reference = 'reference of a person';
/** Creates one. On a busy machine a create can be answered by 503, and its repetition has the result. */
export async function verification(sandbox: object = { auto_complete: false }): Promise<string> {
  const body = { reference, method: 'document_only', sandbox };
  const headers = { 'idempotency-key': randomUUID() };
  const create = () => call(harness, 'POST', '/v1/verifications', { key, body, headers });
  await expect.poll(async () => (await create()).status, { timeout: 60_000 }).toBe(201);
  return (await create()).json.id;
}
export async function about(action: string, fields = {}, sandbox?: object): Promise<void> {
  const { status, html } = await send(`/verifications/${await verification(sandbox)}/${action}`, fields);
  expect(status, html).toBe(303);
}
export const claimed = async (): Promise<string> => {
  const id = await verification({ scenario: 'review' });
  expect((await send(`/review/${id}/claim`)).location).toBe(`/review/${id}`);
  return id;
};
/** The owner has decided about it, and can take that back. */
export async function held(): Promise<string> {
  const id = await claimed();
  const ctx = { ...harness.ctx, deadlineAt: Date.now() + 10_000, reviewHeldMs: 60_000 };
  const caller = asOwner({ id: owner.memberId }, organisationId, 'sandbox');
  const reasonIds = reasonsFor('approved', 'document_only');
  await decideReview(ctx, caller, { verificationId: id, outcome: 'approved', reasonIds });
  return id;
}
/** In live, with a masked copy. */
export async function examined(): Promise<string> {
  const live = await harness.key({ org: 'Acme', environment: 'live' });
  const body = { reference, method: 'document_only' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key: live.key, body });
  const user = person(harness, json.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  await user.submit();
  await untilMasked(harness.rows, json.id);
  return json.id;
}
export const keyId = async (): Promise<string> => (await harness.key({ org: 'Acme' })).id;
export const endpoint = async (): Promise<string> =>
  (await call(harness, 'POST', '/v1/webhooks', { key, body: { url: 'https://127.0.0.1:1025/hooks' } })).json
    .id;
export const toEndpoint = async (action: string, fields = {}) =>
  send(`/webhooks/${await endpoint()}/${action}`, fields);
/** An endpoint that nothing listens at, with a delivery that failed. */
export async function failed(): Promise<{ endpointId: string; id: string }> {
  const endpointId = await endpoint();
  await verification({ scenario: 'approved' });
  const found = async () => {
    const { json } = await call(harness, 'GET', `/v1/webhooks/${endpointId}/deliveries?status=failed`, {
      key,
    });
    return json.data[0]?.id;
  };
  await expect.poll(found, { timeout: 30_000 }).toBeDefined();
  return { endpointId, id: await found() };
}
const site = { origin: url.replace('127.0.0.1', 'localhost'), host: 'localhost' };
export async function withPasskey() {
  const who = await member();
  const device = newAuthenticator(site);
  const fields = { name: 'phone', password: goodPassword };
  const page = await who.visitor.submit('/account/passkeys', '/account/passkeys', fields);
  const token = /data-passkey.*?name="token" value="([^"]+)"/s.exec(page.html)?.[1] ?? '';
  const credential = device.create(token);
  await who.visitor.post('/account/passkeys/new', { name: 'phone', credential }, { token });
  const [row] = await harness.rows<{
    id: string;
  }>`select id from member_passkeys where member_id = ${who.memberId}`;
  return { ...who, device, passkeyId: row?.id ?? '' };
}
export const logo = () =>
  sharp({ create: { width: 300, height: 100, channels: 3, background: '#0a5c8a' } })
    .png()
    .toBuffer();
