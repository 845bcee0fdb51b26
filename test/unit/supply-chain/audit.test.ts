import { expect, test } from 'vitest';
import { verdictOf } from '#test/supply-chain/audit.ts';

const reportOf = (severity: string) =>
  JSON.stringify({
    vulnerabilities: { weak: { severity, via: [{ title: 'Reads beyond its end' }, 'other'] } },
  });

test.each(['high', 'critical'])('a %s weakness ends the run', (severity) => {
  const { exitCode, lines } = verdictOf(reportOf(severity));
  expect(exitCode).toBe(1);
  expect(lines).toEqual([
    `${severity}: weak (Reads beyond its end; by other)`,
    'audit: asked the registry; 1 weaknesses known, 1 of them high or critical',
  ]);
});

test('a lesser weakness is reported', () => {
  expect(verdictOf(reportOf('moderate'))).toMatchObject({ exitCode: 0, lines: { length: 2 } });
});

test('a run without weaknesses says so', () => {
  const { exitCode, lines } = verdictOf('{"vulnerabilities":{}}');
  expect(exitCode).toBe(0);
  expect(lines).toEqual(['audit: asked the registry; 0 weaknesses known, 0 of them high or critical']);
});

test.each([
  ['', 'no JSON came'],
  ['npm error', 'no JSON came'],
  [
    '{"message":"405 Method Not Allowed - POST https://registry.example/bulk","statusCode":405}',
    '405 Method Not Allowed',
  ],
])('where nobody could be asked (%j) that is what is said', (output, reason) => {
  const { exitCode, lines } = verdictOf(output);
  expect(exitCode).toBe(0);
  expect(lines).toEqual([`audit: NOT RUN. The registry gave no answer to it (${reason}).`]);
});
