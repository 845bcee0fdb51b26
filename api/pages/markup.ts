import { html as htmlOfAnyValue } from 'htm/preact';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** Only `html` makes markup, and it escapes every text. */
export type Markup = VNode | VNode[];

/** Further attributes of a field, written as `...${attributes}`. */
export type Attributes = {
  [Name in
    | 'accept'
    | 'aria-describedby'
    | 'aria-invalid'
    | 'autocomplete'
    | 'autofocus'
    | 'inputmode'
    | 'maxlength'
    | 'required']?: string | number | boolean | undefined;
};

/** Text is escaped, and markup is not. Between tags, null, undefined and booleans show nothing. */
export type Value = string | number | boolean | null | undefined | Markup | Attributes | readonly Value[];

/** The type of the library allows every value, also objects that cannot be shown. */
export const html: (parts: TemplateStringsArray, ...values: readonly Value[]) => Markup = htmlOfAnyValue;

export const asDocument = (document: Markup): string =>
  `<!doctype html>\n${renderToString(document as VNode)}\n`;
