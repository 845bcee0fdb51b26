import { describe, expect, test } from 'vitest';
import { readAnswer } from '#activities/eid/idin/isolated/answers.ts';
import { readAttributes } from '#activities/eid/idin/isolated/attributes.ts';
import { plainMarkup } from '#activities/eid/idin/isolated/markup.ts';
import { Refused } from '#activities/eid/idin/isolated/refused.ts';
import { keys } from '#test/support/people/idin.ts';
import { fc } from '#test/support/seed.ts';
import { personaOf } from '#worker/standalone/idin-simulator/personas.ts';
import { statusAnswer } from '#worker/standalone/idin-simulator/status-answer.ts';

const now = new Date();
const transaction = { id: '0099000000000001', requestId: 'V1', issuerId: 'SIMBNL2A' };
const answer = Buffer.from(
  await statusAnswer({ ...transaction, persona: personaOf('plain'), fault: null }, 'Success', {
    style: 'long',
    keys,
    now,
  }),
);
const question = {
  kind: 'status' as const,
  now: now.getTime(),
  certificates: [keys.acquirer.certificate],
  expected: {
    transactionId: transaction.id,
    requestId: 'V1',
    issuerId: 'SIMBNL2A',
    legalId: 'NL99SIM000000001',
  },
};
const genuine = readAnswer(answer, question);

/** The reason of a refusal, or what was read. Any other error fails the test. */
function read(bytes: Buffer): unknown {
  try {
    return readAnswer(bytes, question);
  } catch (error) {
    if (error instanceof Refused) return error.reason;
    throw error;
  }
}

const place = fc.nat({ max: answer.length - 1 });

describe('an answer that somebody changed', () => {
  test('by any byte is refused, or says exactly the same', () => {
    fc.assert(
      fc.property(place, fc.nat({ max: 255 }), (at, byte) => {
        const changed = Buffer.from(answer);
        changed[at] = byte;
        expect([genuine, expect.any(String)]).toContainEqual(read(changed));
      }),
      { numRuns: 60 },
    );
  });

  test('by moving any part of it to any place is refused, or says exactly the same', () => {
    fc.assert(
      fc.property(place, place, place, (a, b, to) => {
        const [start, end] = a < b ? [a, b] : [b, a];
        const part = answer.subarray(start, end);
        const changed = Buffer.concat([answer.subarray(0, to), part, answer.subarray(to)]);
        expect([genuine, expect.any(String)]).toContainEqual(read(changed));
      }),
      { numRuns: 60 },
    );
  });

  test('into any other bytes is refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(read(Buffer.from(bytes))).toEqual(expect.any(String));
      }),
    );
  });
});

test('markup beyond elements, attributes and text never reaches a parser', () => {
  const parts = ['<a>', '</a>', '<!', '<?', '<![CDATA[', '<!--', '&amp;', '&x;', '&#38;', ' ', '?>', 'text'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), (some) => {
      const text = some.join('');
      const isPlain = !/<[!?]|&x;/.test(text);
      const plain = () => plainMarkup(Buffer.from(text));
      if (isPlain) expect(plain()).toBe(text);
      else expect(plain).toThrow('forbidden_markup');
    }),
  );
});

describe('the birth date of a person', () => {
  const dated = (date: string) => () =>
    readAttributes([
      opened('<saml:NameID>BIN1</saml:NameID>'),
      opened(
        `<saml:Attribute Name="urn:nl:bvn:bankid:1.0:consumer.dateofbirth"><saml:AttributeValue>${date}</saml:AttributeValue></saml:Attribute>`,
      ),
    ]);
  const opened = (content: string) => ({ content, prefixes: {} });

  test.each(['19800412', '19800000', '19800400', '18991231', '20120101'])('may be %s', (date) => {
    expect(dated(date)().values).toEqual({ dateofbirth: date });
  });

  test.each(['1980', '19801301', '19800432', '17000101', 'x', '1980-04-12'])('may not be %s', (date) => {
    expect(dated(date)).toThrow('wrong_attributes');
  });
});

test.each([
  ['256 characters', 'a'.repeat(256)],
  ['a line break', 'Jan&#10;sen'],
  ['a sign that turns the direction of the text', 'Jan\u202esen'],
  ['a character of no use', 'Jan\ue000sen'],
])('a decrypted value with %s is refused', (_, value) => {
  const read = (given: string) => () =>
    readAttributes([
      { content: '<saml:NameID>BIN1</saml:NameID>', prefixes: {} },
      {
        content: `<saml:Attribute Name="urn:nl:bvn:bankid:1.0:consumer.initials"><saml:AttributeValue>${given}</saml:AttributeValue></saml:Attribute>`,
        prefixes: {},
      },
    ]);
  expect(read('a'.repeat(255))().values.initials).toHaveLength(255);
  expect(read(value)).toThrow('wrong_attributes');
});

test.each([
  ['no subject', ['a']],
  ['two subjects', ['n', 'n', 'a']],
  ['an attribute twice', ['n', 'a', 'a']],
  ['an attribute of another scheme', ['n', 'x']],
])('decrypted values with %s are refused', (_, names) => {
  const attribute = (name: string) =>
    `<saml:Attribute Name="${name}"><saml:AttributeValue>J</saml:AttributeValue></saml:Attribute>`;
  const contents: Record<string, string> = {
    n: '<saml:NameID>BIN1</saml:NameID>',
    a: attribute('urn:nl:bvn:bankid:1.0:consumer.initials'),
    x: attribute('urn:example:initials'),
  };
  const opened = names.map((name) => ({ content: contents[name] ?? '', prefixes: {} }));
  expect(() => readAttributes(opened)).toThrow('wrong_attributes');
});
