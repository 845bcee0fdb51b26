import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ParseOption,
  XmlBufferInputProvider,
  XmlDocument,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';
import { decrypted } from '#activities/eid/idin/decrypt.ts';
import { readAttributes } from '#activities/eid/idin/isolated/attributes.ts';
import { sealedOf } from '#activities/eid/idin/isolated/confirmation.ts';
import { plainMarkup } from '#activities/eid/idin/isolated/markup.ts';
import {
  elementsAt,
  parsedAssertion,
  parsedFreely,
  parsedMessage,
  textAt,
} from '#activities/eid/idin/isolated/schema.ts';
import { signedAssertion, signedMessage } from '#activities/eid/idin/isolated/signatures.ts';
import { requestsOf } from '#activities/eid/idin/requests.ts';
import { makeKeys } from '#worker/standalone/idin-simulator/keys.ts';
import { contractAt } from '#worker/standalone/idin-simulator/merchant.ts';

/**
 * Compares the iDIN adapter with what the owner of the scheme published: node test/support/people/idin-samples.ts FOLDER
 * The folder is a checkout of github.com/Currence-Online/iDIN-libraries-dotnet. Its sample answer is read with the sample's keys, and our
 * requests are compared with its schema. The sample is not read as a whole, because its certificate is younger than its message.
 */

const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error('Say where the checkout is: node test/support/people/idin-samples.ts FOLDER');
const tests = join(folder, '.NET/BankId.Merchant.Library.Tests');
const schemas = join(folder, 'Common/iDx Schemas');

const openssl = (...words: string[]) => execFileSync('openssl', words, { encoding: 'utf8' });
const certificate = openssl('x509', '-in', join(tests, 'Certificates/BankID2020.QA.sha256.2048.cer'));
const store = join(tests, 'Certificates/BankID2020.Libs.sha256.2048.csp.p12');
const privateKey = openssl('pkcs12', '-in', store, '-passin', 'pass:123456', '-nodes', '-nocerts', '-legacy');

let failed = 0;
function step<Result>(name: string, work: () => Result): Result {
  try {
    const result = work();
    process.stdout.write(`holds: ${name}\n`);
    return result;
  } catch (error) {
    failed += 1;
    process.stdout.write(`FAILS: ${name}: ${error}\n`);
    return undefined as Result;
  }
}

const bytes = readFileSync(join(tests, 'Messages/StatusResponse-Sample.xml'));
const covered = step('signature of the acquirer', () => signedMessage(plainMarkup(bytes), [certificate]));
step('schema of the message', () => void parsedMessage(covered));
const [stated] = elementsAt(parsedFreely(covered), './/saml:Assertion');
const id = stated?.attrs.find(({ name }) => name === 'ID')?.content ?? '';
const assertion = step('signature of the bank', () => signedAssertion(covered, id, [certificate]));
const statement = step('schema of the assertion', () => parsedAssertion(assertion));
const opened = step('decryption of each value', () =>
  elementsAt(statement, './/xenc:EncryptedData').map((data) => {
    const sealed = sealedOf(data);
    return { content: decrypted(sealed, privateKey), prefixes: sealed.prefixes };
  }),
);
const { subject, values } = step('names of the values', () => readAttributes(opened));
const service = textAt(statement, 'saml:AttributeStatement/saml:Attribute/saml:AttributeValue');
// These are the values that the tests of the sample's owner expect.
const expected = {
  ...{
    subject: 'Some Subject',
    service: '4096',
    legallastname: 'Smith',
    legallastnameprefix: 'Sm',
    initials: 'SJĆ',
  },
  ...{
    preferredlastname: 'John',
    preferredlastnameprefix: 'Jo',
    partnerlastname: 'Jane',
    partnerlastnameprefix: 'Ja',
  },
};
step('the nine values', () => {
  const read = Object.entries({ subject, service, ...values }).sort();
  if (JSON.stringify(read) !== JSON.stringify(Object.entries(expected).sort())) throw new Error(String(read));
});

const names = ['idx.merchant-acquirer.1.0.xsd', 'xmldsig-core-schema.xsd'];
xmlRegisterInputProvider(
  new XmlBufferInputProvider(
    Object.fromEntries(names.map((name) => [name, readFileSync(join(schemas, name))])),
  ),
);
const published = XsdValidator.fromDoc(
  XmlDocument.fromBuffer(readFileSync(join(schemas, names[0] ?? '')), { url: names[0] ?? '' }),
);
const requests = requestsOf(contractAt('http://127.0.0.1:3010', await makeKeys()));
const now = new Date();
const order = { requestId: 'V1', issuerId: 'BANKNL2U', entranceCode: 'e1', language: 'nl' as const };
const returned = { returnUrl: 'https://verify.example/return?a=1&b=2', expiresInSeconds: 300 };
for (const [name, xml] of Object.entries({
  directory: requests.directory(now),
  transaction: requests.transaction({ ...order, ...returned }, now),
  status: requests.status('0099000000000001', now),
}))
  step(`our request ${name} by the published schema`, () =>
    published.validate(XmlDocument.fromString(xml, { option: ParseOption.XML_PARSE_NONET })),
  );
process.exit(failed === 0 ? 0 : 1);
