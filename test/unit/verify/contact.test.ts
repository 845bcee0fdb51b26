import { expect, test } from 'vitest';
import { organisationSettings } from '#policy/organisation-settings.ts';
import { pageOf } from '#test/support/people/link.ts';
import { fc } from '#test/support/seed.ts';

/** The addresses of all links of the page that lead away from it, and the page. The contact is shown twice on each of these steps. */
function linksFor(contact: string, step: 'welcome' | 'done' | 'cancelled' = 'done') {
  const page = pageOf({ step, contact }, 'en');
  const addresses = [...page.matchAll(/<a href="([^"]*)"/g)].map(([, address = '']) => address);
  return { page, away: addresses.filter((address) => /^[^?]*:/.test(address)) };
}

test.each([
  ['privacy@acme.example', 'mailto:privacy@acme.example'],
  ['First.Last+kyc@help-desk.acme.co.example', 'mailto:First.Last+kyc@help-desk.acme.co.example'],
  ['020 555 00 00', 'tel:0205550000'],
  ['(020) 555-00.00', 'tel:0205550000'],
  ['+31 (0)20 555 00 00', 'tel:+31205550000'],
  ['14 020', 'tel:14020'],
  ['https://acme.example/contact?from=kyc&lang=nl', 'https://acme.example/contact?from=kyc&amp;lang=nl'],
])('%s is a link wherever it is shown', (contact, address) => {
  for (const step of ['welcome', 'done', 'cancelled'] as const) {
    const { away, page } = linksFor(contact, step);
    expect(away, step).toEqual([address, address]);
    expect(page.match(/rel="noreferrer">/g), step).toHaveLength(2);
  }
});

const hostile = [
  'privacy@acme.example?bcc=thief@evil.example',
  'privacy@acme.example?subject=x&body=y',
  'privacy@acme.example%0Abcc:thief@evil.example',
  'privacy@acme.example,thief@evil.example',
  'privacy@acme.example;thief@evil.example',
  'Acme <privacy@acme.example>',
  'privacy@acme.example"onclick="alert(1)',
  "privacy@acme.example'onclick='alert(1)",
  'mailto:privacy@acme.example',
  'a&b@acme.example',
  'a%40b@acme.example',
  'privacy@acme',
  'privacy@[127.0.0.1]',
  'privacy@acme.example\u202Eelpmaxe',
  'javascript:alert(1)',
  'JavaScript:alert(1)//https://acme.example',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'http://acme.example',
  '//acme.example',
  'https://acme.example@evil.example',
  'https://user:word@evil.example',
  'https:\\\\evil.example',
  'https:evil.example',
  'https://',
  'https://acme.example javascript:alert(1)',
  '0205550000;phone-context=evil',
  '*21*0205550000#',
  '020 555 00 00, 020 555 00 01',
  '020 555 00 00 020 555 00 01',
  '1234',
  '+',
  '()',
  '<script>alert(1)</script>',
  '<a href="https://evil.example">us</a>',
  'Ask at the desk, or privacy@acme.example',
];

test.each(hostile)('%j is text', (contact) => {
  const { page, away } = linksFor(contact);
  expect(away).toEqual([]);
  const escaped = contact.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  expect(page).toContain(`Contact: ${escaped}`);
  expect(page).toContain(`Questions? ${escaped}`);
});

test('whatever an owner may set, no other scheme comes out, and nothing but the one address', () => {
  const piece = fc.constantFrom(...hostile, ...'@.+-?&:/%#"<>\' \\', 'acme.example', 'a', '020', 'https://');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
      const contact = organisationSettings.contact.parse(pieces.join(''));
      for (const address of contact ? linksFor(contact).away : [])
        expect(address).toMatch(
          /^(?:mailto:[\w.+-]+@[a-z\d.-]+|tel:\+?\d{5,15}|https:\/\/[^@\s"<>\\/]+\/[^\s"<>\\]*)$/i,
        );
    }),
    { numRuns: 300 },
  );
});
