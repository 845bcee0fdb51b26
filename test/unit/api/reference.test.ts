import { expect, test } from 'vitest';
import { renderReference } from '#api/rest/reference/page.ts';
import { description } from '#test/support/documents/described.ts';

const document = JSON.parse(JSON.stringify(description));
const page = renderReference(document, '/v1', {
  stylesheet: '/style.css',
  icon: '/icon.svg',
  description: '/openapi.json',
});

/** The server of the document is left out, since it is the prefix of every path on the page. */
const { servers: _, ...shown } = document;

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' };
const textOf = (html: string) =>
  html.replaceAll(/<[^>]*>/g, '').replaceAll(/&\w+;/g, (entity) => entities[entity] ?? entity);
const text = textOf(page);

/** Returns every value in the document that has this name. */
function valuesOf(name: string, within: unknown = shown): unknown[] {
  if (typeof within !== 'object' || within === null) return [];
  return Object.entries(within).flatMap(([key, value]) => [
    ...(key === name ? [value] : []),
    ...valuesOf(name, value),
  ]);
}

const plain = (markdown: unknown) =>
  String(markdown)
    .replaceAll(/`|\*\*/g, '')
    .split(/\n{2,}/);
/** The description of an error repeats codes and messages. The page shows them in a separate table. */
const isOfError = (said: unknown) => /^`\w+`: /.test(String(said));

test.each(['summary', 'description', 'title'])('every %s of the document stands on the page', (name) => {
  const said = valuesOf(name)
    .filter((value) => typeof value === 'string' && !isOfError(value))
    .flatMap(plain);
  expect(said.length).toBeGreaterThan(0);
  expect(said.filter((each) => !text.includes(each))).toEqual([]);
});

test('so do every path, event, field, parameter, header, value of an enumeration, error and message', () => {
  const names = [
    ...Object.keys(document.paths).map((path) => `/v1${path}`),
    ...Object.keys(document.webhooks),
    ...valuesOf('properties').flatMap((properties) => Object.keys(properties as object)),
    ...valuesOf('parameters').flatMap((all) => (all as { name: string }[]).map((each) => each.name)),
    ...Object.keys(document.components.headers),
    ...valuesOf('enum').flat(),
    ...valuesOf('pattern'),
    ...valuesOf('message').filter((message) => typeof message === 'string'),
  ];
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !text.includes(String(name)))).toEqual([]);
});

test('no Markdown is left as it was written', () => {
  const examples = /<pre>.*?<\/pre>/gs;
  expect(textOf(page.replaceAll(examples, ''))).not.toMatch(/`|\*\*|\]\(|^#/m);
});

test('every link within the page leads to one place of it', () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const aims = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(aims.length).toBeGreaterThan(50);
  expect(aims.filter((aim) => !ids.includes(aim))).toEqual([]);
});

test('an example can be pasted into a shell', () => {
  expect(text).toContain(
    [
      'curl -X POST "$SERVICE/v1/verifications" \\',
      '  -H "Authorization: Bearer $KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d '{"reference":"order-1042"}'`,
    ].join('\n'),
  );
  expect(text).toContain('curl "$SERVICE/v1/health"\n'.trim());
});
