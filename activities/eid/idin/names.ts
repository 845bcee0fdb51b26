/** The names of the protocol: iDx messages around SAML, with XML signatures and XML encryption. */

export const namespaces = {
  idx: 'http://www.betaalvereniging.nl/iDx/messages/Merchant-Acquirer/1.0.0',
  samlp: 'urn:oasis:names:tc:SAML:2.0:protocol',
  saml: 'urn:oasis:names:tc:SAML:2.0:assertion',
  ds: 'http://www.w3.org/2000/09/xmldsig#',
  xenc: 'http://www.w3.org/2001/04/xmlenc#',
} as const;

export const algorithms = {
  enveloped: 'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  exclusive: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  rsaSha256: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
} as const;

export const productId = 'NL:BVN:BankID:1.0';
export const substantial = 'nl:bvn:bankid:1.0:loa3';
export const protocolBinding = 'nl:bvn:bankid:1.0:protocol:iDx';

/**
 * What a transaction asks for, as bits: 16384 the pseudonym of the person (BIN), 4096 name, 1024 address, 448 date of birth, 16
 * gender. The bit of the BSN (1) is never set: this product has no right to the number.
 */
export const requestedService = 16_384 + 4_096 + 1_024 + 448 + 16;

const samlStatus = 'urn:oasis:names:tc:SAML:2.0:status:';
const ownStatus = 'urn:nl:bvn:bankid:1.0:status:';
export const statusCodes = {
  success: `${samlStatus}Success`,
  complete: `${ownStatus}Success`,
  incomplete: `${ownStatus}IncompleteAttributeSet`,
} as const;

export const attributePrefix = 'urn:nl:bvn:bankid:1.0:';

/** All attributes of a person that may come. The scheme has more, for example of the BSN, and an answer with one of those is refused. */
export const personalAttributes = [
  ...['bin', 'transientid', 'deprecatedbin', 'initials', 'firstname', 'gender', 'dateofbirth', '18orolder'],
  ...['legallastname', 'legallastnameprefix', 'preferredlastname', 'preferredlastnameprefix'],
  ...['partnerlastname', 'partnerlastnameprefix', 'street', 'houseno', 'housenosuf', 'addressextra'],
  ...['postalcode', 'city', 'country', 'intaddressline1', 'intaddressline2', 'intaddressline3'],
] as const;

/** Both sides have clocks of their own. */
export const clockToleranceMs = 2 * 60_000;

/** The largest answer that is read. A real one with all attributes has about 60 KB. */
export const answerBytesMax = 256 * 1024;
