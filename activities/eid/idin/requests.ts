import type { BeginOrder } from '../port.ts';
import { type IdinContract, thumbprintOf } from './contract.ts';
import { namespaces, productId, protocolBinding, requestedService, substantial } from './names.ts';
import { declarationsOf, escaped, keyName, signed } from './sign.ts';

const root = `xmlns="${namespaces.idx}" version="1.0.0" productID="${productId}"`;

/** The three signed requests of iDIN. */
export function requestsOf(contract: IdinContract) {
  const { merchantId, subId, privateKey, certificate } = contract;
  const key = { privateKey, keyInfo: keyName(thumbprintOf(certificate)) };
  const merchant = `<merchantID>${merchantId}</merchantID><subID>${subId}</subID>`;
  const message = (name: string, now: Date, content: string): string =>
    signed(
      `<${name} ${root}><createDateTimestamp>${now.toISOString()}</createDateTimestamp>${content}</${name}>`,
      key,
    );

  return {
    directory: (now: Date): string => message('DirectoryReq', now, `<Merchant>${merchant}</Merchant>`),

    transaction(order: BeginOrder, now: Date): string {
      const returnUrl = escaped(order.returnUrl);
      return message(
        'AcquirerTrxReq',
        now,
        `<Issuer><issuerID>${escaped(order.issuerId)}</issuerID></Issuer>` +
          `<Merchant>${merchant}<merchantReturnURL>${returnUrl}</merchantReturnURL></Merchant>` +
          `<Transaction><expirationPeriod>PT${order.expiresInSeconds}S</expirationPeriod>` +
          `<language>${order.language}</language><entranceCode>${escaped(order.entranceCode)}</entranceCode>` +
          `<container>${authnRequest({ ...order, returnUrl, merchantId }, now)}</container></Transaction>`,
      );
    },

    status: (transactionId: string, now: Date): string =>
      message(
        'AcquirerStatusReq',
        now,
        `<Merchant>${merchant}</Merchant><Transaction><transactionID>${escaped(transactionId)}</transactionID></Transaction>`,
      ),
  };
}

const authnRequest = (
  { requestId, returnUrl, merchantId }: Pick<BeginOrder, 'requestId' | 'returnUrl'> & { merchantId: string },
  now: Date,
): string =>
  `<samlp:AuthnRequest${declarationsOf(['samlp', 'saml'])} ID="${escaped(requestId)}" Version="2.0"` +
  ` IssueInstant="${now.toISOString()}" ProtocolBinding="${protocolBinding}" AssertionConsumerServiceURL="${returnUrl}"` +
  ` AttributeConsumingServiceIndex="${requestedService}"><saml:Issuer>${merchantId}</saml:Issuer>` +
  `<samlp:RequestedAuthnContext Comparison="minimum"><saml:AuthnContextClassRef>${substantial}</saml:AuthnContextClassRef>` +
  '</samlp:RequestedAuthnContext></samlp:AuthnRequest>';
