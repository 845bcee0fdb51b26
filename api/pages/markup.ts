import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** Only `html` of htm makes markup, and it escapes every value. */
export type Markup = VNode | VNode[];

export const asDocument = (document: Markup): string =>
  `<!doctype html>\n${renderToString(document as VNode)}\n`;
