import { html, type Markup, type Value } from '../../pages/markup.ts';
import { nameOfRef, type Schema } from './document.ts';
import { inline } from './markdown.ts';

export type Field = { name: string; schema: Schema; required: boolean };

/**
 * In a request (`sent`) the required fields are marked. In an answer or event (`received`) the fields that may be absent are
 * marked.
 */
export type Direction = 'sent' | 'received';

export function fieldList(fields: Field[], direction: Direction): Markup | null {
  if (fields.length === 0) return null;
  return html`<dl>${fields.map((field) => row(field, direction))}</dl>`;
}

/**
 * Lists the fields of an object. The fields of an inner object come after that object. Their names begin with its name, as in
 * `sandbox.scenario`.
 */
export function fieldsOf({ properties = {}, required = [] }: Schema, prefix = ''): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    { name: prefix + name, schema, required: required.includes(name) },
    ...fieldsOf(schema, `${prefix}${name}.`),
  ]);
}

function row({ name, schema, required }: Field, direction: Direction) {
  const said = direction === 'sent' ? required && 'required' : !required && 'may be absent';
  return html`
    <div>
      <dt><code>${name}</code> ${typeOf(schema)}${said && html` <strong>${said}</strong>`}</dt>
      <dd>${inline(schema.description)} ${limitsOf(schema)}</dd>
    </div>`;
}

/** Writes the type of a field. A named object becomes a link, since it is described once, under Objects. */
function typeOf(schema: Schema): Value[] {
  const { $ref, anyOf, items, format, type = 'any' } = schema;
  if ($ref !== undefined) return [linkTo($ref)];
  if (anyOf !== undefined) return anyOf.flatMap((each, index) => [index > 0 && ' or ', ...typeOf(each)]);
  if (items !== undefined) return ['array of ', ...typeOf(items)];
  return [[type].flat().join(' or '), format !== undefined && ` (${format})`];
}

export const linkTo = (ref: string) => html`<a href=${`#${nameOfRef(ref)}`}>${nameOfRef(ref)}</a>`;

function limitsOf(schema: Schema): Value[] {
  const { minimum, maximum, maxLength, minItems, items = {}, anyOf = [] } = schema;
  const pattern = [schema, ...anyOf].find((each) => each.pattern !== undefined)?.pattern;
  const values = [schema, items, ...anyOf].flatMap((each) => each.enum ?? []);
  return [
    schema.const !== undefined && html`Always ${code(schema.const)}. `,
    values.length > 0 && html`One of ${values.map((value, index) => [index > 0 && ', ', code(value)])}. `,
    minimum !== undefined && `From ${minimum}${maximum === undefined ? '' : ` to ${maximum}`}. `,
    maxLength !== undefined && `At most ${maxLength} characters. `,
    minItems !== undefined && `At least ${minItems}. `,
    pattern !== undefined && html`Matches ${code(pattern)}. `,
    schema.default !== undefined && html`Default ${code(schema.default)}.`,
  ];
}

const code = (value: unknown) =>
  html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`;
