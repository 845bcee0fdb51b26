import type { AttemptPhase } from '#contract/enums.ts';
import type { DeliveryInFull } from '#services/deliveries/look-up.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { when } from '../../parts.ts';
import type { MemberRequest } from '../../request.ts';
import { endInWords, seesContents, verbatim } from './delivery-parts.ts';

type Attempt = DeliveryInFull['attempts'][number];
type Heads = NonNullable<Attempt['heads']>;

/** One attempt: how it ended, its headers and those of the answer, folded, and the answer itself. */
export function attemptOf(request: MemberRequest, attempt: Attempt): Markup {
  const { delivery: t } = request.text.webhooks;
  const { number, startedAt, durationMs, outcome, answer } = attempt;
  return html`
    <section>
      <h3>${t.attempt(number)}</h3>
      <p>${when(request, startedAt, undefined, true)}: ${outcome === null ? t.running : `${endInWords(request, attempt)}.`}${durationMs === null ? null : ` ${t.took(durationMs)}`}</p>
      ${
        seesContents(request)
          ? html`
            ${outcome === null ? null : headsOf(request, attempt)}
            <h4>${t.answer}</h4>
            ${answer === null ? html`<p>${t.noAnswer}</p>` : verbatim(answer, `${t.answer}, ${t.attempt(number)}`)}`
          : null
      }
    </section>
  `;
}

/** Before these phases have ended, not a byte of the request leaves. */
const phasesBefore: readonly (AttemptPhase | null)[] = ['url', 'resolve', 'connect', 'tls'];

function headsOf(request: MemberRequest, { heads, phase, responseStatus }: Attempt): Markup {
  const { heads: t } = request.text.webhooks.delivery;
  if (heads === undefined) return html`<p>${phasesBefore.includes(phase) ? t.notSent : t.none}</p>`;
  const { requestLine, sent, answered } = heads;
  return html`
    <details>
      <summary>${t.title}</summary>
      <h4>${t.sent}</h4>
      <p><code>${requestLine}</code></p>
      ${list(sent)}
      <p><small>${t.beginning}</small></p>
      <h4>${t.answered}</h4>
      ${answered === null ? html`<p>${t.noAnswer}</p>` : html`<p><code>HTTP/${answered.version} ${responseStatus}</code></p>${answeredWith(request, answered)}`}
    </details>
  `;
}

const list = (headers: readonly (readonly [string, string])[]): Markup =>
  html`<dl>${headers.map(([name, value]) => html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>`)}</dl>`;

function answeredWith(request: MemberRequest, { headers, left }: NonNullable<Heads['answered']>): Markup {
  const { heads: t } = request.text.webhooks.delivery;
  const withValue = headers.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  const byName = [...new Set(headers.flatMap(([name, value]) => (value === null ? [name] : [])))];
  return html`
    ${withValue.length === 0 ? null : list(withValue)}
    ${byName.length === 0 ? null : html`<p>${t.byName} ${byName.map((name, place) => html`${place === 0 ? null : ', '}<code>${name}</code>`)}</p>`}
    ${left === 0 ? null : html`<p>${t.left(left)}</p>`}
  `;
}
