import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tools } from '#api/mcp/tools.ts';
import { keyedRoutes } from '#api/rest/routes.ts';
import { grants } from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import type { CreateWebhook } from '#contract/webhook.ts';
import { everyRight, type Right } from '#policy/rights.ts';
import { searchActs } from '#services/acts/search.ts';
import { completeByAgent } from '#services/agent/complete-verification.ts';
import { readVerification } from '#services/agent/get-verification.ts';
import { findVerifications } from '#services/agent/list-verifications.ts';
import { followWebhooks } from '#services/agent/list-webhooks.ts';
import { startVerification } from '#services/agent/start-verification.ts';
import { type Caller, callerOfKey, callerOfOperator } from '#services/caller.ts';
import type { RequestContext } from '#services/context.ts';
import { listDeliveries } from '#services/deliveries/list.ts';
import { findDelivery, searchDeliveries } from '#services/deliveries/look-up.ts';
import { pauseWebhook, resumeWebhook } from '#services/deliveries/pause-endpoint.ts';
import { resendDelivery } from '#services/deliveries/resend.ts';
import { listResendOrders, orderResends } from '#services/deliveries/resend-failed.ts';
import { testWebhook } from '#services/deliveries/test-webhook.ts';
import { findOrderedDossier, orderDossier } from '#services/dossiers/order.ts';
import { changeContract } from '#services/eid/contracts.ts';
import { readOwnContract, setOwnContract } from '#services/eid/own-contract.ts';
import { sampleLink } from '#services/flow/sample-link.ts';
import { cancelIncomeCheck, eraseIncomeCheck, renewIncomeCheckLink } from '#services/income-checks/change.ts';
import { completeIncomeCheck } from '#services/income-checks/complete.ts';
import { createIncomeCheck } from '#services/income-checks/create.ts';
import { getIncomeCheck } from '#services/income-checks/get.ts';
import { listIncomeChecks } from '#services/income-checks/list.ts';
import { inspectOrganisation } from '#services/inspection/organisation.ts';
import { listAtWork, readOverview } from '#services/inspection/overview.ts';
import { createKey } from '#services/keys/create.ts';
import { findKey, listKeys } from '#services/keys/list.ts';
import { revokeKey } from '#services/keys/revoke.ts';
import { rotateKey } from '#services/keys/rotate.ts';
import { removeByEmail, resetByEmail } from '#services/members/by-email.ts';
import { invite } from '#services/members/invite.ts';
import {
  changeRole,
  disableMember,
  enableMember,
  listMembers,
  makeResetLink,
  removeMember,
} from '#services/members/manage.ts';
import { changeLogo, type LogoContext } from '#services/organisations/change-logo.ts';
import { changeSettings } from '#services/organisations/change-settings.ts';
import { readFirstSteps } from '#services/organisations/first-steps.ts';
import { changeOwnSettings, readOwnSettings } from '#services/organisations/own-settings.ts';
import { exportPerson } from '#services/privacy/export.ts';
import { ownRemovalsAhead, verificationsWithReference } from '#services/relations/removals.ts';
import { reportRelation } from '#services/relations/report.ts';
import { searchRequests } from '#services/request-log/search.ts';
import { claimReview, releaseReview } from '#services/reviews/claim.ts';
import { decideReview } from '#services/reviews/decide.ts';
import { findKeptEvidence, lookAtEvidence } from '#services/reviews/evidence.ts';
import { lacksFourEyes } from '#services/reviews/independent.ts';
import { openMaterial } from '#services/reviews/material.ts';
import { claimNext } from '#services/reviews/next.ts';
import { notesOf } from '#services/reviews/notes.ts';
import { listOwnDecisions } from '#services/reviews/own.ts';
import { countWaiting, listQueue, queueThroughput } from '#services/reviews/queue.ts';
import { reopenForReview } from '#services/reviews/reopen.ts';
import { heldFor, takeBackDecision } from '#services/reviews/take-back.ts';
import { usageOfYear } from '#services/usage/monthly.ts';
import { cancel, cancelCase, cancelVerification } from '#services/verifications/cancel.ts';
import { completeCase, completeChosen, completeVerification } from '#services/verifications/complete.ts';
import { createCounted, createVerification } from '#services/verifications/create.ts';
import { erase, eraseCase, eraseVerification } from '#services/verifications/erase.ts';
import { findCase, getVerification } from '#services/verifications/get.ts';
import { historyOf } from '#services/verifications/history.ts';
import { listVerifications } from '#services/verifications/list.ts';
import { renewLink, renewLinkOfCase, replaceLink } from '#services/verifications/renew-link.ts';
import { searchVerifications } from '#services/verifications/search.ts';
import { createWebhook } from '#services/webhooks/create.ts';
import { deleteWebhook } from '#services/webhooks/delete.ts';
import { getWebhook } from '#services/webhooks/get.ts';
import { listWebhooks } from '#services/webhooks/list.ts';
import { rotateSecret } from '#services/webhooks/rotate-secret.ts';
import { watchEndpoint, watchEndpoints } from '#services/webhooks/watch.ts';
import type { Db } from '#store/database/connection.ts';

/** Each verb refuses a caller without its right, before it reads anything. */

const untouched = (part: string): object =>
  new Proxy(
    {},
    {
      get(_, name) {
        throw new Error(`it used ${part}.${String(name)}`);
      },
    },
  );
const nothing = new Proxy({}, { get: (_, part) => untouched(String(part)) }) as RequestContext;
const parts = {
  ...{
    store: nothing.store,
    secrets: nothing.secrets,
    clock: nothing.clock,
    decoder: untouched('decoder') as LogoContext['decoder'],
  },
  tryContract: () => {
    throw new Error('it used tryContract');
  },
};
const inside = { secrets: nothing.secrets, tx: untouched('tx') as Db };
const id = '01990000-0000-7000-8000-000000000000';
const named = { email: 'somebody@example.com' };
const decision = { verificationId: id, outcome: 'approved', reasonIds: [] } as const;
const limit = 1;
const span = { createdFrom: new Date(), createdBefore: new Date() };
const sandbox = { scenario: 'approved', auto_complete: true } as const;
const started = { method: 'document_only', sandbox } as const;
const asked = { method: 'document_only', sandbox_scenario: 'approved', auto_complete: true } as const;
const endpoint = {
  ...{ url: 'https://example.com/', event_types: ['verification.completed'], environment: 'all' },
} satisfies CreateWebhook;

type Call = (caller: Caller) => Promise<unknown>;

/** Every verb for a caller, by the right that it needs. */
const verbs: Partial<Record<Right, Record<string, Call>>> = {
  'keys.see': {
    listKeys: (caller) => listKeys(nothing, caller),
    findKey: (caller) => findKey(nothing, caller, { id }),
  },
  'keys.change': {
    createKey: (caller) => createKey(nothing, caller, { grants: [] }),
    revokeKey: (caller) => revokeKey(nothing, caller, { id }),
    rotateKey: (caller) => rotateKey(nothing, caller, { id, overlapMs: 0 }),
  },
  'webhooks.see': {
    listWebhooks: (caller) => listWebhooks(nothing, caller, { limit }),
    getWebhook: (caller) => getWebhook(nothing, caller, { id }),
    followWebhooks: (caller) => followWebhooks(nothing, caller),
    watchEndpoints: (caller) => watchEndpoints(nothing, caller, { limit }),
    watchEndpoint: (caller) => watchEndpoint(nothing, caller, { id }),
    searchDeliveries: (caller) => searchDeliveries(nothing, caller, { id, limit }),
    findDelivery: (caller) => findDelivery(nothing, caller, { id }),
    listResendOrders: (caller) => listResendOrders(nothing, caller, { id }),
    listDeliveries: (caller) => listDeliveries(nothing, caller, { id, limit }),
  },
  'webhooks.change': {
    createWebhook: (caller) => createWebhook(nothing, caller, endpoint),
    deleteWebhook: (caller) => deleteWebhook(nothing, caller, { id }),
    rotateSecret: (caller) => rotateSecret(nothing, caller, { id, overlap_hours: 0 }),
    pauseWebhook: (caller) => pauseWebhook(nothing, caller, { id }),
    resumeWebhook: (caller) => resumeWebhook(nothing, caller, { id }),
    orderResends: (caller) => orderResends(nothing, caller, { id, ...span }),
    testWebhook: (caller) => testWebhook(nothing, caller, { id }),
    resendDelivery: (caller) => resendDelivery(nothing, caller, { id, delivery_id: id }),
  },
  'verifications.open': {
    findCase: (caller) => findCase(nothing, caller, { id }),
    historyOf: (caller) => historyOf(nothing, caller, { id }),
  },
  'verifications.see': {
    verificationsWithReference: (caller) => verificationsWithReference(nothing, caller, { reference: '' }),
    searchVerifications: (caller) => searchVerifications(nothing, caller, { limit }),
    listVerifications: (caller) => listVerifications(nothing, caller, { limit }),
    getVerification: (caller) => getVerification(nothing, caller, { id }),
    findVerifications: (caller) => findVerifications(nothing, caller, { limit }),
    readVerification: (caller) => readVerification(nothing, caller, { verification_id: id }),
    listIncomeChecks: (caller) => listIncomeChecks(nothing, caller, { limit }),
    getIncomeCheck: (caller) => getIncomeCheck(nothing, caller, { id }),
  },
  'verifications.create': {
    createVerification: (caller) => createVerification(nothing, caller, started),
    createCounted: (caller) =>
      createCounted(nothing, caller, { operation: 'create_verification', input: started }),
    createIncomeCheck: (caller) => createIncomeCheck(nothing, caller, { sandbox }),
    startVerification: (caller) => startVerification(nothing, caller, asked),
  },
  'verifications.change': {
    completeVerification: (caller) => completeVerification(nothing, caller, { id }),
    completeChosen: (caller) => completeChosen(nothing, caller, { id }),
    completeIncomeCheck: (caller) => completeIncomeCheck(nothing, caller, { id }),
    completeByAgent: (caller) => completeByAgent(nothing, caller, { verification_id: id }),
    completeCase: (caller) => completeCase(nothing, caller, { id }),
    cancelVerification: (caller) => cancelVerification(nothing, caller, { id }),
    cancelIncomeCheck: (caller) => cancelIncomeCheck(nothing, caller, { id }),
    cancelCase: (caller) => cancelCase(nothing, caller, { id }),
    cancel: (caller) => cancel(inside, caller, { id, requestId: null }),
    renewLink: (caller) => renewLink(nothing, caller, { id }),
    renewIncomeCheckLink: (caller) => renewIncomeCheckLink(nothing, caller, { id }),
    renewLinkOfCase: (caller) => renewLinkOfCase(nothing, caller, { id }),
    replaceLink: (caller) => replaceLink(inside, caller, { id, requestId: null }),
    reportRelation: (caller) => reportRelation(nothing, caller, { id, endedOn: null }),
  },
  'organisation.see': {
    readFirstSteps: (caller) => readFirstSteps(nothing, caller),
    readOwnSettings: (caller) => readOwnSettings(nothing, caller),
    readOwnContract: (caller) => readOwnContract(nothing, caller),
    lacksFourEyes: (caller) => lacksFourEyes(nothing, caller),
    sampleLink: (caller) => sampleLink(parts, caller),
  },
  'organisation.change': {
    changeSettings: (caller) => changeSettings(nothing, caller, { evidenceDays: 8 }),
    changeOwnSettings: (caller) => changeOwnSettings(nothing, caller, {}),
    changeLogo: (caller) => changeLogo(parts, caller, { upload: null }),
    changeContract: (caller) => changeContract(nothing, caller, { contract: null }),
    setOwnContract: (caller) => setOwnContract(parts, caller, { file: Buffer.alloc(0) }),
  },
  'members.see': {
    listMembers: (caller) => listMembers(nothing, caller),
  },
  'members.change': {
    invite: (caller) => invite(nothing, caller, { ...named, role: 'owner' }),
    resetByEmail: (caller) => resetByEmail(nothing, caller, named),
    removeByEmail: (caller) => removeByEmail(nothing, caller, named),
    changeRole: (caller) => changeRole(nothing, caller, { id, role: 'owner' }),
    disableMember: (caller) => disableMember(nothing, caller, { id }),
    enableMember: (caller) => enableMember(nothing, caller, { id }),
    removeMember: (caller) => removeMember(nothing, caller, { id }),
    makeResetLink: (caller) => makeResetLink(nothing, caller, { id }),
  },
  'queue.see': {
    listQueue: (caller) => listQueue(nothing, caller, { limit }),
    countWaiting: (caller) => countWaiting(nothing, caller, limit),
    queueThroughput: (caller) => queueThroughput(nothing, caller),
  },
  'queue.decide': {
    claimReview: (caller) => claimReview(nothing, caller, { id }),
    releaseReview: (caller) => releaseReview(nothing, caller, { id }),
    openMaterial: (caller) => openMaterial(nothing, caller, { id }),
    decideReview: (caller) => decideReview(nothing, caller, decision),
    claimNext: (caller) => claimNext(nothing, caller),
    listOwnDecisions: (caller) => listOwnDecisions(nothing, caller, { limit: 1 }),
    heldFor: (caller) => heldFor(nothing, caller, { id }),
    takeBackDecision: (caller) => takeBackDecision(nothing, caller, { id }),
    reopenForReview: (caller) => reopenForReview(nothing, caller, { id }),
  },
  'dossiers.make': {
    orderDossier: (caller) => orderDossier(nothing, caller, { verificationId: id, format: 'json' }),
    findOrderedDossier: (caller) => findOrderedDossier(nothing, caller, { orderId: id }),
  },
  'usage.see': {
    usageOfYear: (caller) => usageOfYear(nothing, caller),
    ownRemovalsAhead: (caller) => ownRemovalsAhead(nothing, caller),
  },
  'requests.see': {
    searchRequests: (caller) => searchRequests(nothing, caller, { limit, after: undefined }),
  },
  'log.see': {
    searchActs: (caller) => searchActs(nothing, caller, { limit, after: undefined }),
  },
  'evidence.see': {
    findKeptEvidence: (caller) => findKeptEvidence(nothing, caller, { id }),
    lookAtEvidence: (caller) => lookAtEvidence(nothing, caller, { id }),
    notesOf: (caller) => notesOf(nothing, caller, { id }),
    exportPerson: (caller) => exportPerson(nothing, caller, { id }),
  },
  'operators.see': {
    readOverview: (caller) => readOverview(nothing, caller),
    listAtWork: (caller) => listAtWork(nothing, caller, { after: '', limit }),
    inspectOrganisation: (caller) => inspectOrganisation(nothing, caller, { id, limit }),
  },
  'verifications.erase': {
    eraseVerification: (caller) => eraseVerification(nothing, caller, { id }),
    eraseIncomeCheck: (caller) => eraseIncomeCheck(nothing, caller, { id }),
    eraseCase: (caller) => eraseCase(nothing, caller, { id }),
    erase: (caller) => erase(inside, caller, { id, requestId: null }),
  },
};
const each = Object.entries(verbs).flatMap(([needs, calls]) =>
  Object.entries(calls).map(([name, call]) => ({ name, needs: needs as Right, call })),
);

/** A member has an id, which reviews and dossiers name. */
const somebody: Caller = {
  ...{ actor: { kind: 'member', id }, rights: everyRight },
  scope: callerOfOperator({ orgId: id, environment: 'sandbox' }).scope,
};
const without = (right: Right): Caller => ({
  ...somebody,
  rights: new Set([...everyRight].filter((other) => other !== right)),
});

describe.each(each)('$name', ({ needs, call }) => {
  test(`refuses who has every right but ${needs}`, async () => {
    await expect(call(without(needs))).rejects.toMatchObject({ code: 'not_allowed' });
  });

  test('goes on for who has it', async () => {
    await expect(call(somebody)).rejects.toThrow('it used');
  });
});

const rows = [
  ...keyedRoutes.map(({ operation: name, grant, run }) => ({ name, grant, run })),
  ...tools.flatMap(({ name, grant, run }) => (grant === null ? [] : [{ name, grant, run }])),
];

test.each(rows)('$name: the scope $grant gives the right to it, and no other scope does', async (row) => {
  for (const grant of grants) {
    const key = callerOfKey({ id, orgId: id, environment: 'sandbox', grants: [grant] });
    const answer: unknown = await row.run(nothing, key, {}).catch((error: unknown) => error);
    expect(answer instanceof Problem && answer.code === 'not_allowed').toBe(grant !== row.grant);
  }
});

test('no verb for a caller is missing', () => {
  const folder = join(import.meta.dirname, '../../../shared/services');
  const found = globSync('*/*.ts', { cwd: folder }).flatMap((file) => {
    const statements = readFileSync(join(folder, file), 'utf8').split(/\n(?=\S)/);
    return statements.flatMap((statement) => {
      const [, name] = /^export (?:const|(?:async )?function) (\w+)/.exec(statement) ?? [];
      return name !== undefined && /\bcaller: Caller\b/.test(statement) ? [name] : [];
    });
  });
  expect(found.toSorted()).toEqual(each.map(({ name }) => name).toSorted());
});
