import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { thumbprintOf } from '#activities/eid/idin/contract.ts';
import { decrypted } from '#activities/eid/idin/decrypt.ts';
import { readAnswer } from '#activities/eid/idin/isolated/answers.ts';
import { readAttributes } from '#activities/eid/idin/isolated/attributes.ts';
import { namespaces, requestedService } from '#activities/eid/idin/names.ts';
import { requestsOf } from '#activities/eid/idin/requests.ts';
import { keys, simulated } from '#test/support/people/idin.ts';
import { personaOf } from '#worker/standalone/idin-simulator/personas.ts';
import { statusAnswer } from '#worker/standalone/idin-simulator/status-answer.ts';

/** Says why the tests with another implementation of XML signatures are skipped. `.ci/run` installs it. */
const xmlsecMissing =
  spawnSync('xmlsec1', ['--version']).status === 0
    ? undefined
    : 'xmlsec1 is not installed (Debian: apt-get install xmlsec1)';
beforeEach(({ skip }) => skip(xmlsecMissing !== undefined, xmlsecMissing));

const folder = mkdtempSync(join(tmpdir(), 'xmlsec-'));
afterAll(() => rmSync(folder, { recursive: true }));

const put = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const certificates = {
  merchant: put('merchant.pem', keys.merchant.certificate),
  acquirer: put('acquirer.pem', keys.acquirer.certificate),
  bank: put('bank.pem', keys.bank.certificate),
};
const privateKeys = {
  merchant: put('merchant.key', keys.merchant.privateKey),
  acquirer: put('acquirer.key', keys.acquirer.privateKey),
  bank: put('bank.key', keys.bank.privateKey),
};

const xmlsec = (...words: string[]): string =>
  execFileSync('xmlsec1', words, { encoding: 'utf8', stdio: 'pipe' });
const verifies = (file: string, certificate: string, ...more: string[]): boolean =>
  spawnSync('xmlsec1', [
    '--verify',
    `--pubkey-cert-pem:${thumbprintOf(readFileSync(certificate, 'utf8'))}`,
    certificate,
    ...more,
    file,
  ]).status === 0;

const assertionId = ['--id-attr:ID', `${namespaces.saml}:Assertion`];
const now = new Date();

describe('xmlsec1 verifies', () => {
  test.each(['directory', 'transaction', 'status'] as const)(
    'our request %s, and not a changed one',
    async (kind) => {
      const { simulator } = await simulated();
      const requests = requestsOf(simulator.contract);
      const order = { requestId: 'V1', issuerId: 'SIMBNL2A', entranceCode: 'e1', language: 'nl' as const };
      const xml = {
        directory: () => requests.directory(now),
        transaction: () =>
          requests.transaction(
            { ...order, returnUrl: 'https://x.example/?a=1&b=2', expiresInSeconds: 300 },
            now,
          ),
        status: () => requests.status('0099000000000001', now),
      }[kind]();
      expect(verifies(put(`${kind}.xml`, xml), certificates.merchant)).toBe(true);
      expect(verifies(put(`${kind}-changed.xml`, xml.replace('>0099', '>0098')), certificates.merchant)).toBe(
        false,
      );
    },
  );

  test.each(['short', 'long'] as const)(
    'the answers of the simulator with the %s prefixes',
    async (style) => {
      const transaction = {
        id: '0099000000000001',
        requestId: 'V1',
        issuerId: 'SIMBNL2A',
        persona: personaOf('diacritics'),
        fault: null,
      };
      const file = put(
        `answer-${style}.xml`,
        await statusAnswer(transaction, 'Success', { style, keys, now }),
      );
      expect(verifies(file, certificates.acquirer, '--node-xpath', "/*/*[local-name()='Signature']")).toBe(
        true,
      );
      const assertion = [
        '--node-xpath',
        "//*[local-name()='Assertion']/*[local-name()='Signature']",
        '--enabled-key-data',
        'x509',
        '--insecure',
      ];
      expect(verifies(file, certificates.bank, ...assertion, ...assertionId)).toBe(true);
    },
  );
});

describe('an answer that xmlsec1 encrypted and signed', () => {
  test.each([
    ['in one line', (xml: string) => xml],
    ['with line breaks and indents', (xml: string) => xml.replaceAll('><', '>\n    <')],
    ['with the type of a value, by a prefix that only this value uses', typed],
  ])('%s is read, value by value', (_, laidOut) => {
    const message = messageByXmlsec(laidOut);
    const question = {
      kind: 'status' as const,
      now: now.getTime(),
      certificates: [keys.acquirer.certificate],
      expected: {
        transactionId: '0099000000000001',
        requestId: 'V1',
        issuerId: 'SIMBNL2A',
        legalId: 'NL99SIM000000001',
      },
    };
    const answer = readAnswer(Buffer.from(message), question);
    if (answer.kind !== 'status' || answer.confirmation === null) throw new Error(answer.kind);
    const opened = answer.confirmation.sealed.map(({ prefixes, ...each }) => ({
      content: decrypted(each, keys.merchant.privateKey),
      prefixes,
    }));
    expect(answer.confirmation.complete).toBe(true);
    expect(readAttributes(opened)).toEqual({ subject: 'BIN1', values: { legallastname: 'Öztürk & Søn' } });
  });
});

const attribute =
  '<saml:Attribute xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" Name="urn:nl:bvn:bankid:1.0:consumer.legallastname"><saml:AttributeValue>Öztürk &amp; Søn</saml:AttributeValue></saml:Attribute>';
const nameId = '<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">BIN1</saml:NameID>';

/**
 * Names the type of the first value. The signature of the bank keeps the prefix, and that of the acquirer does not: an acquirer's test
 * system sent this form in 2017.
 */
function typed(xml: string): string {
  if (!xml.startsWith('<saml:Assertion ')) return xml;
  const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
  const transform = `<ds:Transform Algorithm="${exclusive}"`;
  const kept = `<ec:InclusiveNamespaces xmlns:ec="${exclusive}" PrefixList="xsd"/>`;
  return xml
    .replace('<saml:Assertion ', '<saml:Assertion xmlns:xsd="http://www.w3.org/2001/XMLSchema" ')
    .replace(`${transform}/>`, `${transform}>${kept}</ds:Transform>`)
    .replace(
      '<saml:AttributeValue>',
      '<saml:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xsd:string">',
    );
}

/** Builds an answer whose encryption and whose two signatures come from xmlsec1. */
function messageByXmlsec(laidOut: (xml: string) => string): string {
  const at = (ms: number) => new Date(now.getTime() + ms).toISOString();
  const assertion = `<saml:Assertion xmlns:saml="${namespaces.saml}" ID="VS-1" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>SIMBNL2A</saml:Issuer>${template('#VS-1', '<ds:X509Data/>')}<saml:Subject><saml:EncryptedID>${encryptedByXmlsec(nameId)}</saml:EncryptedID></saml:Subject><saml:Conditions NotBefore="${at(-30_000)}" NotOnOrAfter="${at(30_000)}"><saml:AudienceRestriction><saml:Audience>NL99SIM000000001</saml:Audience></saml:AudienceRestriction><saml:OneTimeUse/></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>nl:bvn:bankid:1.0:loa3</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="urn:nl:bvn:bankid:1.0:bankid.deliveredserviceid"><saml:AttributeValue>${requestedService}</saml:AttributeValue></saml:Attribute><saml:EncryptedAttribute>${encryptedByXmlsec(attribute)}</saml:EncryptedAttribute></saml:AttributeStatement></saml:Assertion>`;
  const withAssertion = signedByXmlsec(
    laidOut(assertion),
    privateKeys.bank,
    certificates.bank,
    ...assertionId,
  );
  const message = `<a:AcquirerStatusRes xmlns:a="${namespaces.idx}" version="1.0.0" productID="NL:BVN:BankID:1.0"><a:createDateTimestamp>${at(0)}</a:createDateTimestamp><a:Acquirer><a:acquirerID>0099</a:acquirerID></a:Acquirer><a:Transaction><a:transactionID>0099000000000001</a:transactionID><a:status>Success</a:status><a:container><p:Response xmlns:p="${namespaces.samlp}" ID="RES-1" InResponseTo="V1" Version="2.0" IssueInstant="${at(0)}"><p:Status><p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></p:Status>${withAssertion}</p:Response></a:container></a:Transaction>${template('', `<ds:KeyName>${thumbprintOf(keys.acquirer.certificate)}</ds:KeyName>`)}</a:AcquirerStatusRes>`;
  return signedByXmlsec(
    laidOut(message),
    privateKeys.acquirer,
    certificates.acquirer,
    '--node-xpath',
    "/*/*[local-name()='Signature']",
  );
}

const template = (uri: string, keyInfo: string): string =>
  `<ds:Signature xmlns:ds="${namespaces.ds}"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/><ds:Reference URI="${uri}"><ds:Transforms><ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/><ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/></ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue/></ds:Reference></ds:SignedInfo><ds:SignatureValue/><ds:KeyInfo>${keyInfo}</ds:KeyInfo></ds:Signature>`;

const withoutDeclaration = (xml: string) => xml.replace(/^<\?xml[^>]*\?>\s*/, '').trim();

const signedByXmlsec = (xml: string, key: string, certificate: string, ...more: string[]): string =>
  withoutDeclaration(
    xmlsec('--sign', '--privkey-pem', `${key},${certificate}`, ...more, put('to-sign.xml', xml)),
  );

function encryptedByXmlsec(element: string): string {
  const xenc = namespaces.xenc;
  const form = `<xenc:EncryptedData xmlns:xenc="${xenc}" Type="${xenc}Element"><xenc:EncryptionMethod Algorithm="${xenc}aes256-cbc"/><ds:KeyInfo xmlns:ds="${namespaces.ds}"><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${xenc}rsa-oaep-mgf1p"><ds:DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"/></xenc:EncryptionMethod><ds:KeyInfo><ds:KeyName>merchant</ds:KeyName></ds:KeyInfo><xenc:CipherData><xenc:CipherValue/></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo><xenc:CipherData><xenc:CipherValue/></xenc:CipherData></xenc:EncryptedData>`;
  const words = [
    '--encrypt',
    '--pubkey-cert-pem:merchant',
    certificates.merchant,
    '--session-key',
    'aes-256',
  ];
  return withoutDeclaration(xmlsec(...words, '--xml-data', put('data.xml', element), put('form.xml', form)));
}
