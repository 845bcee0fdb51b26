import { readFileSync } from 'node:fs';
import {
  ParseOption,
  XmlBufferInputProvider,
  XmlDocument,
  type XmlElement,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';
import { namespaces } from '../names.ts';
import { orRefused, Refused } from './refused.ts';

const folder = new URL('../schema/', import.meta.url);
const files = ['idx.xsd', 'samlp.xsd', 'saml.xsd', 'xmldsig.xsd', 'xmlenc.xsd'];

// The schemas import each other by these names, and nothing else can be loaded.
xmlRegisterInputProvider(
  new XmlBufferInputProvider(
    Object.fromEntries(files.map((file) => [file, readFileSync(new URL(file, folder))])),
  ),
);

const messages = XsdValidator.fromDoc(
  XmlDocument.fromBuffer(readFileSync(new URL('idx.xsd', folder)), { url: 'idx.xsd' }),
);
const assertions = XsdValidator.fromDoc(
  XmlDocument.fromBuffer(readFileSync(new URL('saml.xsd', folder)), { url: 'saml.xsd' }),
);

const parseOptions = { option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE };

/** Parses a message and compares it with the schema, which lists all that may stand in it and where. */
export const parsedMessage = (text: string): XmlElement => parsed(text, messages);

/** As `parsedMessage`, for an assertion by itself. */
export const parsedAssertion = (text: string): XmlElement => parsed(text, assertions);

function parsed(text: string, validator: XsdValidator): XmlElement {
  const document = parsedFreely(text);
  orRefused('schema', () => validator.validate(document.doc));
  return document;
}

/** Parses XML of any form. */
export const parsedFreely = (text: string): XmlElement =>
  orRefused('not_xml', () => XmlDocument.fromString(text, parseOptions).root);

/** The text at a path. Names have the prefixes of `namespaces`, whatever those of the message are. */
export function textAt(element: XmlElement, path: string): string {
  const text = optionalTextAt(element, path);
  if (text === undefined) throw new Refused('schema');
  return text;
}

export const optionalTextAt = (element: XmlElement, path: string): string | undefined =>
  element.get(path, namespaces)?.content.trim();

export const elementsAt = (element: XmlElement, path: string): XmlElement[] =>
  element.find(path, namespaces) as XmlElement[];
