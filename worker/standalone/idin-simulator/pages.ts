import { escaped } from '#activities/eid/idin/sign.ts';
import { type AnswerKind, type Fault, faultNames, faults, faultsOf } from './faults.ts';
import { issuers } from './merchant.ts';
import { personas } from './personas.ts';
import type { Setting } from './setting.ts';
import type { Choice, SimulatedTransaction } from './transactions.ts';

const buttons: Readonly<Record<Choice, string>> = {
  success: 'Confirm',
  cancel: 'Cancel',
  expire: 'Let it expire',
  fail: 'Fail',
  pending: 'Pending, then confirm',
};

/** The page of the simulated bank. `fault` is that of all answers. It works without scripts. */
export function bankPage({ id, issuerId, status }: SimulatedTransaction, fault: Fault | null): string {
  const bank = issuers.find((each) => each.id === issuerId)?.name ?? issuerId;
  if (status !== 'Open')
    return page(bank, '<p>This identification is over. Go back to where you came from.</p>');
  const persons = personas.map((each): Option => [each.id, each.label]);
  return page(
    bank,
    `<p>This bank is a simulation. It asks for no login, and the persons are invented.</p>
<form method="post" action="/bank/${id}">
${choice('persona', 'Be this person', persons, null)}
${choice('fault', 'Answer with this fault', [noFault, ...faultsOf('status').map(optionOf)], fault)}
<p>${Object.entries(buttons)
      .map(([name, label]) => `<button name="choice" value="${name}">${label}</button>`)
      .join(' ')}</p>
</form>`,
  );
}

const kinds: Readonly<Record<AnswerKind, string>> = {
  directory: 'when it is asked for its banks',
  transaction: 'when it is asked to begin an identification',
  status: 'when it is asked how an identification ended',
};

/** The first page, where a tester chooses what the acquirer does wrong. */
export const homePage = ({ fault, on }: Setting): string =>
  page(
    'iDIN simulator',
    `<p>This server speaks iDIN like an acquirer. Fault of its answers: ${fault ?? 'none'}.</p>
<form method="post" action="/">
${choice('fault', 'Answer with this fault', [noFault, ...faultNames.map(optionOf)], fault)}
${choice('on', 'Do so', [['', 'whenever it fits'], ...Object.entries(kinds)], on)}
<p><button>Set</button></p>
</form>`,
  );

export const unknownPage = (): string => page('Not found', '<p>There is no such identification here.</p>');

type Option = [value: string, label: string];

const noFault: Option = ['', 'none'];
const optionOf = (fault: Fault): Option => [fault, `${fault}: ${faults[fault].meaning}`];

const choice = (name: string, label: string, all: Option[], chosen: string | null): string =>
  `<p><label for="${name}">${label}</label><br><select id="${name}" name="${name}">${all
    .map(
      ([value, text]) =>
        `<option value="${escaped(value)}"${value === chosen ? ' selected' : ''}>${escaped(text)}</option>`,
    )
    .join('')}</select></p>`;

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)} (simulation)</title>
<style>body{font:18px/1.5 sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem}
select,button{font:inherit;max-width:100%;padding:.5rem;margin:.25rem 0}</style></head>
<body><main><h1>${escaped(title)}</h1>${content}</main></body></html>`;
