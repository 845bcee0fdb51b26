import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { consolePages } from '#api/console/pages.ts';
import { awaitLines } from '#test/integration/request-log/support.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { joins, sendLogo } from '#test/support/people/console.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();
const { key, id: keyId } = await harness.key({ org: 'Bloemen & Zn', environment: 'live' });
const { visitor } = await joins(harness, url, { org: 'Bloemen & Zn', role: 'owner' });
const operator = await joins(harness, url, { role: 'operator' });
const path = '/organisation/preview';
const preview = (query = '') => visitor.get(path + query);
const set = (settings: Parameters<typeof harness.settings>[0]) => harness.settings(settings, 'Bloemen & Zn');

let created = 0;

/** The first page of a verification that was just created. */
async function hosted(language: string): Promise<string> {
  created += 1;
  const body = { method: 'document_liveness' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  const link = `${new URL(json.verify_url).pathname}?lang=${language}`;
  return (await call(harness, 'GET', link)).text;
}

/** A page without its addresses on this service. The names of files and what a partner wrote stay. */
const withoutAddresses = (html: string) =>
  html.replaceAll(/(href|src|action)="[^":]*?((?:assets|logos)\/[\w.-]+)?"/g, '$1="$2"');

/** A page without what a computer alone shows. */
const onPhone = (html: string) => html.replace(/<section class="hand-over".*?<\/section>/s, '');

/** A preview, as it would be with its script and without the mark that nothing can be pressed. */
const asUsed = (html: string, script: string) =>
  html.replace('</head>', `${script}</head>`).replace('<body class="hosted" inert>', '<body class="hosted">');

const texts = {
  ...{ displayName: 'Bloemen <b>', purpose: 'Om uw rekening te openen', contact: 'help@bloemen.example' },
  ...{ privacyUrl: 'https://bloemen.example/privacy?a=1&b=2', returnUrl: 'https://bloemen.example/back' },
};
const looks: [string, Parameters<typeof harness.settings>[0]][] = [
  ['that has set nothing', {}],
  ['that has set every text', texts],
  ['with a colour and another way', { colour: '#8a1c5c', offersOtherWay: true }],
  ['whose computer decides', { decisions: 'machine_may_decide', evidenceDays: 9, coverPortrait: false }],
];

describe.each(looks)('of an organisation %s', (_, settings) => {
  test.each(['nl', 'en'])('the preview in %s is the first page of a new verification', async (language) => {
    await set(settings);
    const [shown, used] = [(await preview(`?lang=${language}`)).html, await hosted(language)];
    const script = /<script[^>]*><\/script>/.exec(used)?.[0] ?? 'no script';
    expect(shown).toContain(`<html lang="${language}">`);
    expect(shown).not.toMatch(/<script/);
    expect(withoutAddresses(asUsed(shown, script))).toBe(withoutAddresses(onPhone(used)));
  });
});

test('whatever is saved is shown at once, and all that the page loads is on the origin of the console', async () => {
  const saved = {
    ...{ displayName: 'Tuin & Co', purpose: 'Om te huren', contact: 'vraag@tuin.example', colour: '#0a5c8a' },
    ...{ privacyUrl: 'https://tuin.example/privacy', languages: 'nl,en', offersOtherWay: 'true' },
  };
  expect((await visitor.submit('/organisation', '/organisation/shown', saved)).status).toBe(303);
  const picture = sharp({ create: { width: 300, height: 100, channels: 3, background: '#0a5c8a' } });
  expect((await sendLogo(url, visitor, await picture.png().toBuffer())).status).toBe(303);
  const { html } = await preview();
  const parts = ['Tuin &amp; Co', 'Om te huren', 'vraag@tuin.example', 'https://tuin.example/privacy'];
  for (const part of parts) expect(html).toContain(part);
  const loaded = [...html.matchAll(/<(?:link|img)[^>]* (?:href|src)="([^"]+)"/g)].map(
    ([, each = '']) => each,
  );
  expect(loaded.map((each) => each.replaceAll(/[0-9a-f]{12,}/g, '*').replace(/\?.*/, ''))).toEqual([
    ...['/verify/assets/icon.*.svg', '/verify/assets/style.*.css', '/verify/assets/accent-0a5c8a.*.css'],
    ...['/verify/logos/*.png'],
  ]);
  for (const each of loaded) {
    const { status, headers } = await fetch(url + each);
    expect([each, status, headers.get('content-type')]).toEqual([
      ...[each, 200, expect.stringMatching(/^(text\/css|image\/(svg\+xml|png))/)],
    ]);
  }
});

test('it is in a language that the organisation offers: the one that is asked for, else that of the member', async () => {
  const spoken = async (query: string) => /<html lang="(\w+)"/.exec((await preview(query)).html)?.[1];
  await set({ languages: 'nl,en' });
  expect([await spoken(''), await spoken('?lang=nl'), await spoken('?lang=fy')]).toEqual(['en', 'nl', 'en']);
  const both = (await visitor.get('/organisation')).html;
  expect(both.match(/<a [^>]*target="preview"/g)).toHaveLength(2);
  await set({ languages: 'nl' });
  expect([await spoken(''), await spoken('?lang=en')]).toEqual(['nl', 'nl']);
  expect((await visitor.get('/organisation')).html).not.toContain('target="preview"');
});

test('to look at it stores nothing and counts nothing', async () => {
  const stored = () => harness.rows`
    select table_name, query_to_xml(format('select * from %I.%I order by 1', table_schema, table_name), true, true, '')::text
    from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> 'member_sessions'
    order by table_name`;
  await awaitLines(harness, keyId, created);
  const before = await stored();
  expect(before.length).toBeGreaterThan(20);
  await preview();
  await preview('?lang=nl');
  expect(await stored()).toEqual(before);
});

test('it runs nothing, sends nothing and leads nowhere, and the console alone may frame it', async () => {
  const { status, headers } = await preview();
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-same-origin",
  );
  expect([headers.get('cache-control'), headers.get('cross-origin-resource-policy')]).toEqual([
    ...['no-store', 'same-origin'],
  ]);
  const { html } = await visitor.get('/organisation');
  expect(html.match(/<iframe [^>]*>/g)).toEqual([expect.stringContaining('sandbox="allow-same-origin"')]);
});

const paths = consolePages.flatMap((page) => (page.method === 'GET' ? [page.path] : []));

test('no other answer of the console may be framed, and no other page has a frame', async () => {
  const id = '01990000-0000-7000-8000-000000000000';
  const nobody = (asked: string) => fetch(url + asked, { redirect: 'manual' });
  const others = [
    ...paths.filter((each) => each !== path).map((each) => each.replaceAll(/:\w+/g, id)),
    ...[`${path}/`, '/nowhere', '/verify/sample'],
    ...[`/verify/assets/flow.js`, '/assets/style.css', `/verify/logos/${'0'.repeat(64)}.png`],
  ];
  const framing = (asked: string, { headers }: { headers: Headers }) => {
    const policy = headers.get('content-security-policy') ?? '';
    return [asked, policy.match(/frame-ancestors [^;]*|frame-src [^;]*/g)];
  };
  for (const asked of others) {
    const framed = asked === '/organisation' ? ["frame-src 'self'"] : [];
    expect(framing(asked, await visitor.get(asked))).toEqual([asked, [...framed, "frame-ancestors 'none'"]]);
    expect(framing(asked, await nobody(asked))).toEqual([asked, ["frame-ancestors 'none'"]]);
  }
  for (const answer of [await operator.visitor.get(path), await nobody(path)])
    expect([answer.status, framing(path, answer)]).toEqual([
      ...[expect.toBeOneOf([303, 403]), [path, ["frame-ancestors 'none'"]]],
    ]);
});
