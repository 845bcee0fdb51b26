import { describe, expect, test } from 'vitest';
import { Problem } from '#contract/errors.ts';
import { describeFault, faultCodeOf, problemOf, StartFault, Unavailable } from '#platform/failures.ts';

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });

describe('an error is', () => {
  test.each([
    ['08006', 'database_unavailable'],
    ['40001', 'database_unavailable'],
    ['40P01', 'database_unavailable'],
    ['53300', 'database_unavailable'],
    ['55P03', 'database_unavailable'],
    ['57014', 'database_unavailable'],
    ['57P01', 'database_unavailable'],
    ['58030', 'database_unavailable'],
    ['22021', 'database_error'],
    ['23505', 'database_error'],
    ['42P01', 'database_error'],
    ['55000', 'database_error'],
    ['XX000', 'database_error'],
    ['ECONNREFUSED', 'database_unavailable'],
    ['ECONNRESET', 'database_unavailable'],
    ['EPIPE', 'database_unavailable'],
    ['ENOENT', 'internal_error'],
    ['ERR_INVALID_ARG_TYPE', 'internal_error'],
  ])('with code %s %s', (code, fault) => {
    expect(faultCodeOf(withCode(code))).toBe(fault);
  });

  test.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('database_unavailable by its message: %s', (message) => {
    expect(faultCodeOf(new Error(message))).toBe('database_unavailable');
  });

  test.each([
    ['GetNewTransactionId', 'database_unavailable'],
    ['GetNewMultiXactId', 'database_unavailable'],
    ['_bt_check_third_page', 'database_error'],
    [undefined, 'database_error'],
  ])('with code 54000 from %s %s', (routine, fault) => {
    expect(faultCodeOf(Object.assign(withCode('54000'), { routine }))).toBe(fault);
  });

  test('judged by what caused it', () => {
    expect(faultCodeOf(new Error('x', { cause: withCode('57P01') }))).toBe('database_unavailable');
    expect(faultCodeOf(Object.assign(new Error('x'), { previous: withCode('23505') }))).toBe(
      'database_error',
    );
    expect(faultCodeOf(new Unavailable('temporal', withCode('ECONNREFUSED')))).toBe('temporal_unavailable');
    expect(faultCodeOf(new Unavailable('database'))).toBe('database_unavailable');
  });

  test('internal_error whatever else is thrown, a circle of causes included', () => {
    const circle = new Error('x');
    circle.cause = circle;
    for (const thrown of [circle, new Error('x'), 'text', null, undefined, { code: '57P01' }])
      expect(faultCodeOf(thrown)).toBe('internal_error');
  });
});

describe('a caller is told', () => {
  test('the refusal that was meant for it', () => {
    const problem = new Problem('invalid_parameter', 'reference is too long.');
    expect(problemOf(problem)).toBe(problem);
  });

  test.each([
    [new Unavailable('temporal'), 'service_unavailable'],
    [withCode('57P01'), 'service_unavailable'],
    [withCode('23505'), 'internal_error'],
    [new Error('row (1, Jansen)'), 'internal_error'],
  ])('of %s nothing but %s', (error, code) => {
    const problem = problemOf(error);
    expect(problem.code).toBe(code);
    expect(problem.message).not.toContain(error.message);
  });
});

describe('what a log may hold of an error', () => {
  const personal = 'Jansen-1970-01-01';

  test('is class, codes and places', () => {
    const error = Object.assign(new TypeError('x'), { code: '23505', constraint: 'unique_name' });
    expect(describeFault(error)).toEqual([
      { name: 'TypeError', code: '23505', constraint: 'unique_name', at: expect.any(Array) },
    ]);
    expect(describeFault(error)[0]?.at?.[0]).toMatch(/^at .*failures\.test\.ts/);
  });

  test.each([
    ['a message', new Error(personal)],
    ['a message of several lines', new Error(`row:\n${personal}\n${personal}`)],
    ['a message that looks like a stack', new Error(`row:\n    at ${personal}`)],
    ['a cause', new Error('x', { cause: new Error(personal) })],
    ['a detail', Object.assign(new Error('x'), { detail: personal, where: personal, query: personal })],
  ])('is nothing of %s', (_, error) => {
    expect(JSON.stringify(describeFault(error))).not.toContain(personal);
  });
});

test('a start that cannot succeed exits with 69 unless it says otherwise', () => {
  expect(new StartFault('x').exitCode).toBe(69);
  expect(new StartFault('x', 78).exitCode).toBe(78);
});
