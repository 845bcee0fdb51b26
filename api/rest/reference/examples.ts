import { html, type Markup } from '../../pages/markup.ts';
import { type Entry, json, type Operation, type Response } from './document.ts';

export function requestExamples({ kind, method, path, operation }: Entry) {
  const { example, examples = {} } = operation.requestBody?.content[json] ?? {};
  if (kind === 'event') return exampleView('Example', example);
  const keyed = (operation.security ?? []).length > 0;
  const bodies = Object.entries(examples);
  if (bodies.length === 0) return figure('Request', curl(method, path, keyed));
  return bodies.map(([name, { value }]) => figure(name, curl(method, path, keyed, value)));
}

export function answerExamples({ responses = {} }: Operation) {
  return Object.entries(responses).map(([status, answer]) => {
    const example = 'content' in answer ? answer.content?.[json]?.example : undefined;
    return example !== undefined && exampleView(`Answer ${status}`, example);
  });
}

type ErrorAnswer = { error: { code: string; type: string; message: string } };

/** Returns the examples of an error answer, one for each of its codes. */
export const errorExamples = ({ content }: Response): ErrorAnswer[] =>
  Object.values(content?.[json]?.examples ?? {}).map(({ value }) => value as ErrorAnswer);

export const exampleView = (title: string, value: unknown): Markup =>
  figure(title, JSON.stringify(value, null, 2));

const figure = (title: string, text: string) =>
  html`<figure><figcaption>${title}</figcaption><pre><code>${text}</code></pre></figure>`;

/** Writes a command for a shell in which SERVICE is the address of this service and KEY is an API key. */
function curl(method: string, path: string, keyed: boolean, body?: unknown): string {
  const url = `"$SERVICE${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}"`;
  return [
    method === 'GET' ? `curl ${url}` : `curl -X ${method} ${url}`,
    ...(keyed ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
