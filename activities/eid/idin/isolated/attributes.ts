import { attributePrefix, namespaces, personalAttributes } from '../names.ts';
import { escaped } from '../sign.ts';
import { plainMarkup } from './markup.ts';
import { Refused } from './refused.ts';
import { optionalTextAt, parsedFreely, textAt } from './schema.ts';

/** A decrypted value, and the prefixes that were declared where it stood. */
export type Opened = { content: string; prefixes: Record<string, string> };

/** `subject` is the pseudonym of the person, as the subject of the statement. */
export type Attributes = { subject: string; values: Record<string, string> };

const valueLengthMax = 255;

/** Reads the decrypted values. Throws `Refused`, for example for an attribute that nobody may ask for. */
export function readAttributes(opened: readonly Opened[]): Attributes {
  const values: Record<string, string> = {};
  let subject: string | undefined;
  for (const each of opened) {
    const root = parsedFreely(wrapped(each));
    const id = optionalTextAt(root, 'saml:NameID');
    if (id !== undefined) {
      if (subject !== undefined) throw new Refused('wrong_attributes');
      subject = fitting(id);
      continue;
    }
    const name = shortNameOf(textAt(root, 'saml:Attribute/@Name'));
    if (name in values) throw new Refused('wrong_attributes');
    values[name] = fitting(textAt(root, 'saml:Attribute/saml:AttributeValue'));
  }
  if (subject === undefined || !isDate(values.dateofbirth)) throw new Refused('wrong_attributes');
  return { subject, values };
}

/** An encrypted element may use prefixes that were declared around it. */
function wrapped({ content, prefixes }: Opened): string {
  const text = plainMarkup(Buffer.from(content));
  const declared = Object.entries({ saml: namespaces.saml, ...prefixes })
    .filter(([prefix]) => /^[A-Za-z_][\w.-]*$/.test(prefix) && prefix !== 'xmlns' && prefix !== 'xml')
    .map(([prefix, uri]) => ` xmlns:${prefix}="${escaped(uri)}"`);
  return `<opened${declared.join('')}>${text}</opened>`;
}

function shortNameOf(name: string): string {
  const short = personalAttributes.find((each) => `${attributePrefix}consumer.${each}` === name);
  if (short === undefined) throw new Refused('wrong_attributes');
  return short;
}

function fitting(value: string): string {
  if ([...value].length > valueLengthMax || /\p{C}/u.test(value)) throw new Refused('wrong_attributes');
  return value;
}

/** The month or the day may be unknown, as 00. */
const isDate = (value: string | undefined): boolean =>
  value === undefined || /^(?:1[89]|20)\d\d(?:0\d|1[0-2])(?:[0-2]\d|3[01])$/.test(value);
