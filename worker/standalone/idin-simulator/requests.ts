import { thumbprintOf } from '#activities/eid/idin/contract.ts';
import { plainMarkup } from '#activities/eid/idin/isolated/markup.ts';
import { Refused } from '#activities/eid/idin/isolated/refused.ts';
import { elementsAt, parsedMessage, textAt } from '#activities/eid/idin/isolated/schema.ts';
import { signedMessage } from '#activities/eid/idin/isolated/signatures.ts';
import { minuteMs } from '#contract/time.ts';
import { issuers, merchantId } from './merchant.ts';

/** A request of the merchant, after all checks. */
export type Request =
  | { kind: 'directory' }
  | {
      kind: 'transaction';
      issuerId: string;
      returnUrl: string;
      entranceCode: string;
      language: string;
      requestId: string;
      expiresInMs: number;
    }
  | { kind: 'status'; transactionId: string };

/** The request is refused with this code of iDx, as an acquirer does. */
export class RequestFault extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const clockToleranceMs = 5 * minuteMs;
const bsnBit = 1;

/** Checks a request as an acquirer does: signature, thumbprint, schema, clock and merchant. Throws `RequestFault`. */
export function readRequest(bytes: Uint8Array, certificate: string, now: Date): Request {
  const text = orFault('IX1100', () => plainMarkup(bytes));
  const covered = orFault('SE2700', () => signedMessage(text, [certificate]));
  if (keyNameIn(text) !== thumbprintOf(certificate))
    throw new RequestFault('SE2000', 'KeyName is not the thumbprint of the certificate');
  const message = orFault('IX1100', () => parsedMessage(covered));
  try {
    const at = (path: string) => textAt(message, path);
    if (Math.abs(Date.parse(at('idx:createDateTimestamp')) - now.getTime()) > clockToleranceMs)
      throw new RequestFault('IX1600', 'The clock of the merchant differs by more than five minutes');
    if (at('idx:Merchant/idx:merchantID') !== merchantId)
      throw new RequestFault('AP1100', 'The merchant is not known');
    if (message.name === 'DirectoryReq') return { kind: 'directory' };
    if (message.name === 'AcquirerStatusReq')
      return { kind: 'status', transactionId: at('idx:Transaction/idx:transactionID') };
    if (message.name === 'AcquirerTrxReq')
      return transactionOf(at, elementsAt(message, './/samlp:AuthnRequest')[0]);
    throw new RequestFault('IX1100', 'No request');
  } finally {
    message.doc.dispose();
  }
}

function transactionOf(
  at: (path: string) => string,
  authn: ReturnType<typeof elementsAt>[number] | undefined,
): Request {
  const issuerId = at('idx:Issuer/idx:issuerID');
  if (!issuers.some(({ id }) => id === issuerId)) throw new RequestFault('AP1200', 'The issuer is not known');
  const given = (name: string) => authn?.attrs.find((each) => each.name === name)?.content ?? '';
  if (Number(given('AttributeConsumingServiceIndex')) & bsnBit)
    throw new RequestFault('AP2900', 'The merchant may not ask for the BSN');
  return {
    ...{ kind: 'transaction', issuerId, requestId: given('ID') },
    returnUrl: at('idx:Merchant/idx:merchantReturnURL'),
    entranceCode: at('idx:Transaction/idx:entranceCode'),
    language: at('idx:Transaction/idx:language'),
    expiresInMs: periodOf(at('idx:Transaction/idx:expirationPeriod')),
  };
}

/** From one to five minutes. */
function periodOf(given: string): number {
  const [, minutes = '0', seconds = '0'] = /^PT(?:(\d+)M)?(?:(\d+)S)?$/.exec(given) ?? [];
  const ms = Number(minutes) * minuteMs + Number(seconds) * 1_000;
  if (ms < minuteMs || ms > 5 * minuteMs)
    throw new RequestFault('AP2910', 'The period must be from one to five minutes');
  return ms;
}

const keyNameIn = (text: string): string | undefined => /<(?:\w+:)?KeyName>([^<]*)</.exec(text)?.[1];

function orFault<Result>(code: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof Refused ? new RequestFault(code, error.reason) : error;
  }
}
