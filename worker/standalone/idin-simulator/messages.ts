import { encrypt } from 'xml-encryption';
import { thumbprintOf } from '#activities/eid/idin/contract.ts';
import {
  attributePrefix,
  namespaces,
  productId,
  requestedService,
  statusCodes,
  substantial,
} from '#activities/eid/idin/names.ts';
import { escaped, keyName, signed } from '#activities/eid/idin/sign.ts';
import type { KeyPair, SimulatorKeys } from './keys.ts';
import { country, issuers, legalId } from './merchant.ts';
import { type SignatureAlgorithms, weaklySigned } from './weak-signatures.ts';

/**
 * Acquirers write the same message with other prefixes, the two statements in the other order, or without `OneTimeUse`. A reader must
 * not notice. The long style has the form of an answer that an acquirer sent in 2017.
 */
export const styles = ['short', 'long'] as const;
export type Style = (typeof styles)[number];

const prefixes = {
  short: { idx: '', samlp: 'samlp:', saml: 'saml:', ds: '' },
  long: { idx: 'awidxma:', samlp: 'saml2p:', saml: 'saml2:', ds: 'ds' },
} as const;

export const acquirerId = '0099';

/** Writes the answers of an acquirer. */
export function messagesIn(style: Style, keys: SimulatorKeys) {
  const { idx } = prefixes[style];
  const tag = (name: string, ...content: string[]) => `<${idx}${name}>${content.join('')}</${idx}${name}>`;
  const declaration = idx === '' ? 'xmlns' : `xmlns:${idx.slice(0, -1)}`;
  const root = (name: string, now: Date, ...content: string[]) =>
    `<${idx}${name} ${declaration}="${namespaces.idx}" version="1.0.0" productID="${productId}">` +
    `${tag('createDateTimestamp', now.toISOString())}${content.join('')}</${idx}${name}>`;
  const acquirer = tag('Acquirer', tag('acquirerID', acquirerId));

  return {
    sign: (xml: string, weakly?: Partial<SignatureAlgorithms>) =>
      weakly === undefined
        ? signedAsAcquirer(xml, style, keys.acquirer)
        : weaklySigned(xml, { ...keys.acquirer, keyInfo: nameOf(keys.acquirer) }, weakly),

    directory(now: Date): string {
      const banks = issuers.map(({ id, name }) =>
        tag('Issuer', tag('issuerID', id), tag('issuerName', name)),
      );
      const listed = tag('Country', tag('countryNames', country), ...banks);
      const changed = tag('directoryDateTimestamp', now.toISOString());
      return root('DirectoryRes', now, acquirer, tag('Directory', changed, listed));
    },

    transaction(id: string, page: string, now: Date): string {
      const issuer = tag('Issuer', tag('issuerAuthenticationURL', escaped(page)));
      const created = tag('transactionCreateDateTimestamp', now.toISOString());
      return root(
        'AcquirerTrxRes',
        now,
        acquirer,
        issuer,
        tag('Transaction', tag('transactionID', id), created),
      );
    },

    status(id: string, status: string, container: string | null, now: Date): string {
      const parts = [
        ...[tag('transactionID', id), tag('status', status), tag('statusDateTimestamp', now.toISOString())],
        ...(container === null ? [] : [tag('container', container)]),
      ];
      return root('AcquirerStatusRes', now, acquirer, tag('Transaction', ...parts));
    },

    error(code: string, message: string, now: Date): string {
      const consumer = 'De bank kan u nu niet helpen. Probeer het later opnieuw.';
      const parts = [tag('errorCode', code), tag('errorMessage', escaped(message))];
      return root('AcquirerErrorRes', now, tag('Error', ...parts, tag('consumerMessage', consumer)));
    },
  };
}
export type Messages = ReturnType<typeof messagesIn>;

const nameOf = ({ certificate }: KeyPair, ds = ''): string => keyName(thumbprintOf(certificate), ds);

function signedAsAcquirer(xml: string, style: Style, pair: KeyPair): string {
  const { ds } = prefixes[style];
  const place = {
    reference: '/*',
    location: { reference: '/*', action: 'append' as const },
    ...(ds === '' ? {} : { prefix: ds }),
  };
  return signed(xml, { privateKey: pair.privateKey, keyInfo: nameOf(pair, ds) }, place);
}

/** Everything that a statement says, so that a fault can change a part of it. */
export type Statement = {
  requestId: string;
  issuerId: string;
  audience: string;
  level: string;
  notBefore: Date;
  notOnOrAfter: Date;
  firstCode: string;
  secondCode: string;
  service: number;
  subject: string;
  attributes: Readonly<Record<string, string>>;
};

export const statementOf = (
  { id, requestId, issuerId }: { id: string; requestId: string; issuerId: string },
  attributes: Readonly<Record<string, string>>,
  now: Date,
): Statement => ({
  ...{ requestId, issuerId, attributes },
  audience: legalId,
  level: substantial,
  notBefore: new Date(now.getTime() - 30_000),
  notOnOrAfter: new Date(now.getTime() + 30_000),
  firstCode: statusCodes.success,
  secondCode: statusCodes.complete,
  service: requestedService,
  subject: `SIMBIN${id}`,
});

type Assertion = {
  style: Style;
  keys: SimulatorKeys;
  now: Date;
  /** Changes each value before it is encrypted. */
  sealed?: ((element: string) => string) | undefined;
};

/** The signed statement of the bank, as an assertion. */
export async function assertionOf(
  id: string,
  statement: Statement,
  { style, keys, now, sealed = (element) => element }: Assertion,
): Promise<string> {
  const { saml, ds } = prefixes[style];
  const tag = (name: string, content: string, given = '') =>
    `<${saml}${name}${given}>${content}</${saml}${name}>`;
  const declared = ` xmlns:${saml.slice(0, -1)}="${namespaces.saml}"`;
  const seal = (xml: string) => sealedFor(sealed(xml), keys.merchant.certificate);
  const attributes = await Promise.all(
    Object.entries(statement.attributes).map(async ([name, value]) => {
      const given = `${declared} Name="${attributePrefix}consumer.${name}"`;
      return tag(
        'EncryptedAttribute',
        await seal(tag('Attribute', tag('AttributeValue', escaped(value)), given)),
      );
    }),
  );
  const issued = now.toISOString();
  const authentication = tag(
    'AuthnStatement',
    tag(
      'AuthnContext',
      tag('AuthnContextClassRef', statement.level) + tag('AuthenticatingAuthority', statement.issuerId),
    ),
    ` AuthnInstant="${issued}"`,
  );
  const service = ` Name="${attributePrefix}bankid.deliveredserviceid"`;
  const values = tag(
    'AttributeStatement',
    tag('Attribute', tag('AttributeValue', String(statement.service)), service) + attributes.join(''),
  );
  const xml = tag(
    'Assertion',
    tag('Issuer', statement.issuerId) +
      tag('Subject', tag('EncryptedID', await seal(tag('NameID', statement.subject, declared)))) +
      tag(
        'Conditions',
        tag('AudienceRestriction', tag('Audience', statement.audience)) +
          (style === 'short' ? `<${saml}OneTimeUse/>` : ''),
        ` NotBefore="${statement.notBefore.toISOString()}" NotOnOrAfter="${statement.notOnOrAfter.toISOString()}"`,
      ) +
      (style === 'short' ? [authentication, values] : [values, authentication]).join(''),
    `${declared} ID="VS-${id}" Version="2.0" IssueInstant="${issued}"`,
  );
  return signedAsBank(xml, keys.bank, ds);
}

/** A bank signs with a certificate that stands in the signature. */
export function signedAsBank(xml: string, { privateKey, certificate }: KeyPair, ds = ''): string {
  const base64 = certificate.replace(/-----[A-Z ]+-----|\s/g, '');
  const name = (each: string) => (ds === '' ? each : `${ds}:${each}`);
  const [data, der] = [name('X509Data'), name('X509Certificate')];
  const keyInfo = `<${data}><${der}>${base64}</${der}></${data}>`;
  return signed(
    xml,
    { privateKey, keyInfo },
    {
      reference: "/*[local-name(.)='Assertion']",
      location: { reference: "/*/*[local-name(.)='Issuer']", action: 'after' },
      ...(ds === '' ? {} : { prefix: ds }),
    },
  );
}

/** The response of SAML around an assertion. */
export function responseOf(
  id: string,
  statement: Statement,
  assertion: string,
  style: Style,
  now: Date,
): string {
  const { saml, samlp } = prefixes[style];
  const declared = `xmlns:${samlp.slice(0, -1)}="${namespaces.samlp}" xmlns:${saml.slice(0, -1)}="${namespaces.saml}"`;
  return (
    `<${samlp}Response ${declared} ID="RES-${id}" InResponseTo="${statement.requestId}" Version="2.0"` +
    ` IssueInstant="${now.toISOString()}"><${saml}Issuer>${acquirerId}</${saml}Issuer><${samlp}Status>` +
    `<${samlp}StatusCode Value="${statement.firstCode}"><${samlp}StatusCode Value="${statement.secondCode}"/>` +
    `</${samlp}StatusCode></${samlp}Status>${assertion}</${samlp}Response>`
  );
}

/** Encrypts an element for a certificate. `xml-encryption` does it, which no part of the reader uses. */
const sealedFor = (xml: string, certificate: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = {
      rsa_pub: certificate,
      pem: certificate,
      encryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
      keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
      // The scheme prescribes this algorithm. Its values stand under a signature.
      disallowEncryptionWithInsecureAlgorithm: false,
      warnInsecureAlgorithm: false,
    };
    encrypt(xml, options, (error, sealed) => (error ? reject(error) : resolve(sealed)));
  });
