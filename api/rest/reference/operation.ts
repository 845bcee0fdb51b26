import { html, type Markup } from '../../pages/markup.ts';
import {
  type Document,
  type Entry,
  type Operation,
  type Response,
  resolve,
  type Schema,
  schemaOf,
} from './document.ts';
import { answerExamples, errorExamples, requestExamples } from './examples.ts';
import { fieldList, fieldsOf, linkTo } from './fields.ts';
import { inline, paragraphs } from './markdown.ts';

/** Shows the description on the left and the examples on the right. */
export const entryView = (entry: Entry, document: Document): Markup =>
  html`
    <article id=${entry.id} aria-labelledby=${`${entry.id}-title`}>
      <div>
        <h3 id=${`${entry.id}-title`}>${entry.operation.summary}</h3>
        <p>${badge(entry)} <code>${entry.path}</code></p>
        ${paragraphs(entry.operation.description)}
        ${parametersView(entry)}
        ${bodyView(entry, document)}
        ${answersView(entry.operation, document)}
      </div>
      <div>
        ${requestExamples(entry)}
        ${answerExamples(entry.operation)}
      </div>
    </article>`;

export const badge = ({ method }: Entry): Markup => html`<span class=${`method ${method}`}>${method}</span>`;

const placesOfParameters = { path: 'Path', query: 'Query', header: 'Headers' };

function parametersView({ kind, operation: { parameters = [] } }: Entry) {
  return Object.entries(placesOfParameters).map(([place, title]) => {
    const fields = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, description = '', schema, required = false }) => ({
        name,
        required,
        schema: { ...schema, description },
      }));
    return fields.length > 0 && html`<h4>${title}</h4>${fieldList(fields, directionOf(kind))}`;
  });
}

/** A reader of the page receives an event and sends a request. */
const directionOf = (kind: Entry['kind']) => (kind === 'event' ? 'received' : 'sent');

function bodyView({ kind, operation: { requestBody } }: Entry, { components }: Document) {
  if (requestBody === undefined) return null;
  const fields = fieldsOf(resolve<Schema>(schemaOf(requestBody.content), components?.schemas));
  return html`
    <h4>Body</h4>
    ${requestBody.required !== true && html`<p>May be left out.</p>`}
    ${fieldList(fields, directionOf(kind))}`;
}

function answersView({ responses = {} }: Operation, { components }: Document) {
  return html`
    <h4>Answers</h4>
    <dl>
      ${Object.entries(responses).map(([status, response]) => {
        const answer = resolve(response, components?.responses);
        return html`<div><dt><code>${status}</code></dt><dd>${errorLinks(answer) ?? successView(answer)}</dd></div>`;
      })}
    </dl>`;
}

function errorLinks(answer: Response) {
  const codes = errorExamples(answer).map(({ error }) => error.code);
  if (codes.length === 0) return undefined;
  return codes.map((code) => html`<a href=${`#${code}`}><code>${code}</code></a> `);
}

function successView({ description, content }: Response) {
  const { $ref } = schemaOf(content);
  return html`${inline(description)} ${$ref !== undefined && linkTo($ref)}`;
}
