import { describe, expect, test } from 'vitest';
import { IdinContract, thumbprintOf } from '#activities/eid/idin/contract.ts';
import { signedAssertion, signedMessage } from '#activities/eid/idin/isolated/signatures.ts';
import { requestedService } from '#activities/eid/idin/names.ts';
import { requestsOf } from '#activities/eid/idin/requests.ts';
import { keyName, signed } from '#activities/eid/idin/sign.ts';
import { begun, idinUnder, keys, reasonOf, simulated } from '#test/support/people/idin.ts';
import { type Fault, faultNames } from '#worker/standalone/idin-simulator/faults.ts';
import { personaOf } from '#worker/standalone/idin-simulator/personas.ts';
import { readRequest } from '#worker/standalone/idin-simulator/requests.ts';
import { statusAnswer } from '#worker/standalone/idin-simulator/status-answer.ts';

const minuteMs = 60_000;

test('the BSN is never asked for', () => {
  expect(requestedService & 1).toBe(0);
  expect(requestedService).toBe(21_968);
});

describe('the simulator refuses a request', () => {
  test.each([
    ['with another key', 'SE2700', ({ acquirer }: typeof keys) => acquirer],
    [
      'with the right key under another thumbprint',
      'SE2000',
      ({ merchant, acquirer }: typeof keys) => ({ ...merchant, certificate: acquirer.certificate }),
    ],
  ])('%s', async (_, code, pair) => {
    const { simulator } = await simulated();
    const { certificate, privateKey } = pair(keys);
    const idin = idinUnder({ ...simulator.contract, certificate, privateKey });
    expect(await reasonOf(idin.listIssuers())).toBe(`acquirer_error ${code}`);
  });

  test.each([
    ['of an unknown merchant', 'AP1100', { merchantId: '0099000002' }, {}],
    ['for an unknown bank', 'AP1200', {}, { issuerId: 'NOBANK2A' }],
    ['with a wrong form', 'IX1100', {}, { entranceCode: 'not a code' }],
  ])('%s', async (_, code, inContract, inOrder) => {
    const { simulator } = await simulated();
    const idin = idinUnder({ ...simulator.contract, ...inContract });
    const order = {
      requestId: 'V1',
      issuerId: 'SIMBNL2A',
      entranceCode: 'e1',
      language: 'nl' as const,
      expiresInSeconds: 300,
    };
    const opened = idin.begin({ ...order, returnUrl: 'http://127.0.0.1:9/', ...inOrder });
    expect(await reasonOf(opened)).toBe(`acquirer_error ${code}`);
  });

  test.each([
    ['for less than a minute', 59, 'AP2910'],
    ['for a minute', 60, 'accepted'],
    ['for five minutes', 300, 'accepted'],
    ['for more than five minutes', 301, 'AP2910'],
  ])('%s (%s seconds): %s', async (_, expiresInSeconds, code) => {
    const { idin } = await simulated();
    const order = { requestId: 'V1', issuerId: 'SIMBNL2A', entranceCode: 'e1', language: 'nl' as const };
    const opened = idin.begin({ ...order, returnUrl: 'http://127.0.0.1:9/', expiresInSeconds });
    expect(await reasonOf(opened)).toBe(code === 'accepted' ? code : `acquirer_error ${code}`);
  });

  test('that asks for the BSN, although all else of it is right', async () => {
    const { simulator } = await simulated();
    const { certificate, privateKey } = keys.merchant;
    const order = { requestId: 'V1', issuerId: 'SIMBNL2A', entranceCode: 'e1', language: 'nl' as const };
    const usual = { ...order, returnUrl: 'http://127.0.0.1:9/', expiresInSeconds: 300 };
    const request = requestsOf(simulator.contract)
      .transaction(usual, new Date())
      .replace(/<Signature .*<\/Signature>/s, '');
    const read = (xml: string) => {
      const sent = Buffer.from(signed(xml, { privateKey, keyInfo: keyName(thumbprintOf(certificate)) }));
      return () => readRequest(sent, certificate, new Date());
    };
    expect(read(request)()).toMatchObject({ kind: 'transaction' });
    const service = `AttributeConsumingServiceIndex="${requestedService}"`;
    const withBsn = request.replace(service, `AttributeConsumingServiceIndex="${requestedService + 1}"`);
    expect(read(withBsn)).toThrow(expect.objectContaining({ code: 'AP2900' }));
  });

  test('whose clock is ten minutes late', async () => {
    const { simulator } = await simulated();
    const late = new Date(Date.now() - 10 * minuteMs);
    const request = Buffer.from(requestsOf(simulator.contract).directory(late));
    expect(() => readRequest(request, keys.merchant.certificate, new Date())).toThrow(/clock/);
  });

  test('about a transaction that it never opened', async () => {
    const { idin } = await simulated();
    const transaction = { ...(await begun(idin)), transactionId: '0099999999999999' };
    expect(await reasonOf(idin.fetchResult(transaction))).toBe('acquirer_error AP2600');
  });
});

/** The schema refuses these too. Here the signature check stands alone: it returns what was signed, or nothing. */
test.each(faultNames.filter((name) => name.startsWith('xsw-')))(
  'the wrapping %s leads no unsigned byte past the signature check',
  async (fault: Fault) => {
    const transaction = {
      id: '0099000000000001',
      requestId: 'V1',
      issuerId: 'SIMBNL2A',
      persona: personaOf('plain'),
      fault,
    };
    const answer = await statusAnswer(transaction, 'Success', { style: 'long', keys, now: new Date() });
    const covered = signedMessage(answer, [keys.acquirer.certificate]);
    for (const id of ['VS-0099000000000001', 'FORGED-0099000000000001'])
      expect(() => signedAssertion(covered, id, [keys.bank.certificate])).toThrow('assertion_signature');
  },
);

describe('a contract', () => {
  const usable = async () => (await simulated()).simulator.contract;

  test('of the simulator is usable', async () => {
    expect(IdinContract.safeParse(await usable()).success).toBe(true);
  });

  test.each([
    ['http to another machine', { statusUrl: 'http://acquirer.example/status' }],
    ['an address with a password', { statusUrl: 'https://a:b@acquirer.example/status' }],
    ['the key of another certificate', { privateKey: keys.bank.privateKey }],
    ['a key that is none', { privateKey: 'x' }],
    ['a certificate that is none', { acquirerCertificates: ['x'] }],
    ['no certificate of the acquirer', { acquirerCertificates: [] }],
    ['a merchant id of nine digits', { merchantId: '123456789' }],
    ['addresses of which one alone is on loopback', { directoryUrl: 'https://acquirer.example/directory' }],
    ['a field that nobody knows', { password: 'x' }],
  ])('with %s is refused, without its private key in the reason', async (_, change) => {
    const parsed = IdinContract.safeParse({ ...(await usable()), ...change });
    expect(parsed.success).toBe(false);
    expect(JSON.stringify(parsed.error?.issues)).not.toContain('PRIVATE KEY');
  });
});
