import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { toolsOf } from '#api/mcp/tools.ts';
import { type Environment, environments } from '#contract/enums.ts';
import { sandboxDecision } from '#policy/verdicts/sandbox.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { initialize, message, type RpcAnswer, rpc } from '#test/support/people/agent.ts';
import { awaitLines, requestLogAsText } from '../../request-log/support.ts';

/**
 * The proof of section 4.3. A marker is planted in every place that may hold what agents must not see: in existing columns, in
 * columns of forbidden names that do not exist yet, and inside verdicts. Then every tool is called in every state of a
 * verification, with valid, invalid and hostile arguments. No answer may contain a marker.
 */

const marker = 'kanarie';
const markedAs = (place: string) => `${marker}-${place}`;

const forbiddenFields = ['external_ref', 'subject_ref', 'link_token', 'summary', 'reasons'];
const personalFields = ['full_name', 'birth_date', 'bsn', 'document_image', 'mrz', 'raw_output', 'e_mail'];
const planted = [...forbiddenFields, ...personalFields];

const logged: string[] = [];
const harness = await startHarness({ logTo: { write: (line) => void logged.push(line) } });
const { rows } = harness;

type Subject = { environment: Environment; key: string; keyId: string; ids: string[]; tokens: string[] };
const subjects: Subject[] = [];
let secret: string;

beforeAll(async () => {
  for (const environment of environments) subjects.push(await furnish(environment));
  await plantColumns();
}, 60_000);

/** Creates verifications by the product. Then SQL sets their states and plants the markers that the product cannot plant. */
async function furnish(environment: Environment): Promise<Subject> {
  const { key, id: keyId } = await harness.key({ org: 'Canary', environment });
  const create = async () =>
    (
      await call(harness, 'POST', '/v1/verifications', {
        key,
        body: { reference: markedAs('reference'), sandbox: { auto_complete: false } },
        headers: { 'idempotency-key': markedAs(`idempotency-key-${randomUUID()}`) },
      })
    ).json;
  const made = [];
  for (let i = 0; i < 5; i++) made.push(await create());
  const [, started, ...completed] = made.map(({ id }) => id);
  await rows`update verifications set status = 'in_progress' where id = ${started}`;
  for (const [i, scenario] of (['approved', 'review', 'rejected'] as const).entries()) {
    const decision = sandboxDecision('document_liveness', scenario);
    const extras = Object.fromEntries(planted.map((field) => [field, markedAs(`verdict-${field}`)]));
    const verdict = {
      ...decision,
      ...extras,
      checks: decision.checks.map((check) => ({ ...check, ...extras })),
    };
    await rows`update verifications set status = 'completed', completed_at = now(), verdict = ${JSON.stringify(verdict)}::jsonb
      where id = ${completed[i]}`;
  }
  await rows`update verifications set dossier_ref = ${markedAs('dossier-ref')} || id, link_key_id = link_key_id
    where dossier_ref not like ${`${marker}%`}`;
  if (environment === 'sandbox') {
    const { json } = await call(harness, 'POST', '/v1/webhooks', {
      key,
      body: { url: 'https://hooks.partner-test.example/', event_types: ['verification.reviewed'] },
    });
    secret = json.secret;
  }
  const tokens = made.map(({ verify_url }) => new URL(verify_url).pathname.split('/')[2] ?? '');
  return { environment, key, keyId, ids: made.map(({ id }) => id), tokens };
}

/** Adds columns with the forbidden names, as a later version might. No schema names these columns. */
async function plantColumns(): Promise<void> {
  for (const table of ['verifications', 'webhook_endpoints', 'deliveries', 'api_keys', 'requests'])
    for (const field of planted)
      await rows`alter table ${sql.table(table)} add column ${sql.ref(field)} text default ${sql.lit(
        markedAs(`${table}-${field}`),
      )}`;
}

/** Arguments of every kind for a tool: usual ones, those of another tool, and hostile ones. */
const argumentsOfEveryKind = (id: string): Record<string, unknown>[] => [
  {},
  { verification_id: id },
  { verification_id: id, scenario: 'review' },
  { limit: 100 },
  { status: 'completed', limit: 25 },
  { reference: markedAs('reference') },
  { reference: markedAs('argument') },
  { starting_after: id },
  { starting_after: markedAs('argument') },
  { url: 'https://hooks.partner-test.example/agent', description: 'an agent' },
  { url: `https://${markedAs('user')}:x@hooks.partner-test.example/` },
  { url: markedAs('argument'), event_types: [markedAs('argument')] },
  { method: markedAs('argument') },
  { auto_complete: markedAs('argument') },
  { limit: markedAs('argument'), status: markedAs('argument') },
  { verification_id: markedAs('argument') },
  { verification_id: [markedAs('argument')] },
  { verification_id: `${id}' or reference like '${marker}%` },
  { verification_id: markedAs('argument').repeat(3_500) },
  { [markedAs('name')]: markedAs('argument') },
  { fields: planted, include: ['reference', 'dossier_ref'], expand: ['verdict.reasons'] },
  JSON.parse(`{"__proto__":{"reference":"${marker}"},"verification_id":"${id}"}`),
  { constructor: { prototype: { [markedAs('name')]: 1 } } },
  JSON.parse(`{"a":${'{"a":'.repeat(2_000)}"${marker}"${'}'.repeat(2_000)}}`),
  { reference: `${marker}\u0000` },
  { reference: `${marker}\ud800` },
];

/** Everything of an answer that its receiver can see: text and headers. */
const visible = ({ text, headers }: RpcAnswer) => `${text}\n${JSON.stringify(headers)}`;

function expectNothingForbidden(tool: string, answer: RpcAnswer, tokens: string[]): void {
  const seen = visible(answer);
  for (const hidden of [marker, secret, ...tokens]) expect(seen).not.toContain(hidden);
  if (tool !== 'start_verification') expect(seen).not.toMatch(/verify_url|\/verify\//);
  if (tool !== 'create_webhook') expect(seen).not.toContain('whsec_');
}

test('the markers are where they should be: REST shows some, and the database holds all', async () => {
  const [{ key, ids } = { key: '', ids: [] }] = subjects;
  const { text } = await call(harness, 'GET', `/v1/verifications/${ids[2]}`, { key });
  expect(text).toContain(markedAs('reference'));
  expect(text).toContain(markedAs('dossier-ref'));
  const stored = await rows<{ row: string }>`select row_to_json(v)::text as row from verifications v`;
  for (const field of planted) {
    expect(stored[0]?.row).toContain(markedAs(`verifications-${field}`));
    expect(stored.map(({ row }) => row).join()).toContain(markedAs(`verdict-${field}`));
  }
});

describe.each(environments)('with a %s key', (environment) => {
  const subject = () => {
    const found = subjects.find((each) => each.environment === environment);
    if (found === undefined) throw new Error('not furnished');
    return found;
  };

  test.each([...toolsOf[environment].keys()])(
    '%s shows no marker and no link, in any state, for any arguments, and is never a 5xx',
    async (name) => {
      covers('1/agent-no-personal-data', '4.3/reference', '4.3/external-ref', '4.3/subject-ref');
      covers('4.3/dossier-ref', '4.3/link-token', '4.3/verify-url', '4.3/reasons', '4.3/summary');
      covers('4.3/personal-data', '4.2/list-webhooks-no-secret', '4.2/tool-failure-is-a-result');
      const { key, ids, tokens } = subject();
      let successes = 0;
      for (const id of ids)
        for (const given of argumentsOfEveryKind(id)) {
          const answer = await rpc(harness, message('tools/call', { name, arguments: given }), { key });
          expect(answer.status).toBe(200);
          expectNothingForbidden(name, answer, tokens);
          const { isError, structuredContent } = answer.json.result;
          expect(structuredContent.error?.code).not.toBe('internal_error');
          if (!isError) successes++;
        }
      expect(successes).toBeGreaterThan(0);
    },
  );

  test('nor does any other message that is sent, well-formed or not', async () => {
    const { key } = subject();
    const bad = markedAs('message');
    const messages: [unknown, Parameters<typeof rpc>[2]?][] = [
      [message('tools/list', { cursor: bad, [bad]: bad })],
      [
        {
          ...initialize(),
          params: {
            protocolVersion: bad,
            capabilities: { [bad]: {} },
            clientInfo: { name: bad, version: bad },
          },
        },
      ],
      [message('initialize', { protocolVersion: [bad] })],
      [message(bad)],
      [message('tools/call', { name: bad, arguments: { [bad]: bad } })],
      [message('tools/call', { name: { [bad]: bad } })],
      [message('tools/call', { name: 'health', arguments: bad })],
      [message('ping', { _meta: { progressToken: bad } })],
      [[message(bad)]],
      [bad],
      [{ jsonrpc: bad, id: 1, method: bad }],
      [{ jsonrpc: '2.0', id: { [bad]: bad }, method: bad }],
      [{ jsonrpc: '2.0', method: bad, params: { [bad]: bad } }],
      [undefined, { rawBody: `{"${bad}` }],
      [undefined, { rawBody: `${bad}`.repeat(10_000) }],
      [undefined, { rawBody: Buffer.concat([Buffer.from([0xff]), Buffer.from(bad)]) }],
      [message('ping'), { headers: { 'mcp-protocol-version': bad } }],
      [message('ping'), { headers: { origin: `https://${bad}.example` } }],
      [message('ping'), { headers: { 'content-type': `text/${bad}` } }],
      [message('ping'), { headers: { accept: bad, 'mcp-session-id': bad, 'user-agent': bad } }],
      [message('ping'), { headers: { authorization: `Bearer ${bad}` } }],
      [message('ping'), { headers: { authorization: `Bearer svc_test_${bad}` } }],
      [undefined, { method: 'DELETE', headers: { [bad]: bad } }],
    ];
    for (const [body, options] of messages) {
      const answer = await rpc(harness, body, { key, ...options });
      expect(answer.status).toBeLessThan(500);
      expect(visible(answer)).not.toContain(marker);
    }
  });
});

test('an error of the database that quotes a row is told without it', async () => {
  const [{ key } = { key: '' }] = subjects;
  await rows`alter table requests add constraint planted check (input->>'reference' <> ${sql.lit(markedAs('row'))})`;
  const answer = await rpc(
    harness,
    message('tools/call', { name: 'start_verification', arguments: { reference: markedAs('row') } }),
    { key },
  );
  expect(answer.status).toBe(200);
  expect(answer.json.result).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'internal_error' } },
  });
  expect(visible(answer)).not.toContain(marker);
  expect(logged.join('')).toContain('"constraint":"planted"');
});

test('afterwards neither the log nor the request log holds a marker, a link, a secret or a key', async () => {
  covers('1/agent-no-personal-data', '4.2/same-request-log');
  for (const { keyId } of subjects) await awaitLines(harness, keyId, 100);
  const written = `${logged.join('')}\n${await requestLogAsText(harness)}`;
  expect(written).toContain('/mcp');
  expect(written).toContain('get_verification');
  expect(written.replaceAll(`"constraint":"planted"`, '')).not.toContain(marker);
  expect(written).not.toContain(secret);
  for (const { tokens, key } of subjects)
    for (const hidden of [...tokens, key.slice(9)]) expect(written).not.toContain(hidden);
});
