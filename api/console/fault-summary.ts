import type { VNode } from 'preact';
import { html, type Markup } from '../pages/markup.ts';

type Fault = { field: string; text: string };

/**
 * What is wrong with a form that is shown again, above everything else, with a link to each field. It takes the focus, so nobody has to look
 * for the fault. The faults are found in the page, so no page can forget one: each is an element of the class `fault` whose id is that of its
 * field with `-fault`. Null if there is none.
 */
export function faultSummary(body: Markup, title: string): Markup | null {
  const faults = faultsIn(body);
  if (faults.length === 0) return null;
  return html`
    <div class="summary" role="group" aria-labelledby="faults" tabindex="-1" autofocus>
      <h2 id="faults">${title}</h2>
      <ul>${faults.map(({ field, text }) => html`<li><a href=${`#${field}`}>${text}</a></li>`)}</ul>
    </div>
  `;
}

const ending = '-fault';

function faultsIn(node: unknown): Fault[] {
  if (Array.isArray(node)) return node.flatMap(faultsIn);
  if (typeof node !== 'object' || node === null) return [];
  const { props } = node as VNode<{ class?: string; id?: string; children?: unknown }>;
  if (props.class === 'fault' && props.id?.endsWith(ending))
    return [{ field: props.id.slice(0, -ending.length), text: textIn(props.children) }];
  return faultsIn(props.children);
}

function textIn(node: unknown): string {
  if (Array.isArray(node)) return node.map(textIn).join('');
  if (typeof node === 'object' && node !== null)
    return textIn((node as VNode<{ children?: unknown }>).props.children);
  return typeof node === 'string' || typeof node === 'number' ? String(node) : '';
}
