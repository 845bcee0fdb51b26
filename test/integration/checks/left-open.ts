import { documentReader } from '#test/support/examiners/document-reader.ts';
import { drawn } from '#test/support/specimens/card.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { photograph } from '#test/support/specimens/photograph.ts';

/** A program that examines a document and never closes the reader. */

const front = await photograph(drawn({ format: 'TD3', person: eriksson }).front);
const still = setInterval(() => undefined, 1_000);
const { checks } = await (await documentReader()).check(
  { front, back: null },
  new Date('2026-11-21T12:00:00Z'),
);
console.log(checks.map(({ kind, result }) => `${kind} ${result}`).join(', '));
clearInterval(still);
