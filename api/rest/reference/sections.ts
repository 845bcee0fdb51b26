import { html } from '../../pages/markup.ts';
import { type Document, type Entry, nameOfRef, resolve, schemaOf } from './document.ts';
import { errorExamples, exampleView } from './examples.ts';
import { type Field, fieldList, fieldsOf } from './fields.ts';
import { paragraphs } from './markdown.ts';

export const authenticationSection = ({ components }: Document) => html`
  <section id="authentication">
    <h2>Authentication</h2>
    ${Object.values(components?.securitySchemes ?? {}).map(({ description }) => paragraphs(description))}
    <p>
      The examples are for a shell in which <code>SERVICE</code> is the address of this service and${' '}
      <code>KEY</code> is your API key.
    </p>
  </section>`;

/** Lists the objects, except the bodies of requests and events. These bodies are described with their operations. */
export function objectsSection({ components }: Document, entries: Entry[]) {
  const sent = entries.map(({ operation }) => nameOfRef(schemaOf(operation.requestBody?.content).$ref ?? ''));
  const objects = Object.entries(components?.schemas ?? {}).filter(([name]) => !sent.includes(name));
  return html`
    <section id="objects">
      <h2>Objects</h2>
      ${objects.map(
        ([name, schema]) => html`
          <article id=${name}>
            <div>
              <h3>${name}</h3>
              ${paragraphs(schema.description)}
              ${fieldList(fieldsOf(schema), 'received')}
            </div>
          </article>`,
      )}
    </section>`;
}

export function headersSection({ components }: Document) {
  const fields = Object.entries(components?.headers ?? {}).map(([name, header]) => {
    const { description = '', schema } = resolve(header, components?.headers);
    return { name, required: true, schema: { ...schema, description } };
  });
  return html`
    <section id="headers">
      <h2>Headers of answers</h2>
      ${fieldList(fields, 'received')}
    </section>`;
}

/** Shows the form of all errors, and each code once, sorted by status. */
export function errorsSection({ components }: Document, entries: Entry[]) {
  const all = entries.flatMap(({ operation }) =>
    Object.entries(operation.responses ?? {}).flatMap(([status, response]) => {
      const answer = resolve(response, components?.responses);
      return errorExamples(answer).map((example) => ({ status, example, schema: schemaOf(answer.content) }));
    }),
  );
  const byCode = new Map(all.map((each) => [each.example.error.code, each]));
  const rows = [...byCode.values()].sort((one, other) => Number(one.status) - Number(other.status));
  return html`
    <section id="errors">
      <h2>Errors</h2>
      ${rows.slice(0, 1).map(
        ({ status, example, schema }) => html`
          <article>
            <div>${fieldList(withoutValues(fieldsOf(schema)), 'received')}</div>
            <div>${exampleView(`Answer ${status}`, example)}</div>
          </article>`,
      )}
      <table>
        <thead><tr><th>Status</th><th>Code</th><th>Type</th><th>Message</th></tr></thead>
        <tbody>
          ${rows.map(
            ({ status, example: { error } }) => html`
              <tr id=${error.code}>
                <td>${status}</td>
                <td><code>${error.code}</code></td>
                <td><code>${error.type}</code></td>
                <td>${error.message}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
}

/** Removes the allowed values, since one answer allows only its own codes and types. The table of errors lists all of them. */
const withoutValues = (fields: Field[]): Field[] =>
  fields.map(({ schema: { enum: _, ...schema }, ...field }) => ({ ...field, schema }));
