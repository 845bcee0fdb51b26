import { loopbackHosts } from '#contract/limits.ts';
import { sha256 } from '#platform/crypto/crypto.ts';
import { type Confirmed, EidFault, type EidProvider, type EidResult, type Transaction } from '../port.ts';
import type { IdinContract } from './contract.ts';
import { isSimulated } from './contract.ts';
import { decrypted } from './decrypt.ts';
import type { Question } from './isolated/answers.ts';
import { requestedService } from './names.ts';
import type { Post } from './post.ts';
import type { AnswerReader, ReadAnswer } from './reader.ts';
import { requestsOf } from './requests.ts';

export type IdinParts = { reader: AnswerReader; post: Post; now(): Date };

/** iDIN under the contract of one organisation. */
export function createIdin(contract: IdinContract, { reader, post, now }: IdinParts): EidProvider {
  const requests = requestsOf(contract);
  const { directoryUrl, transactionUrl, statusUrl, acquirerCertificates } = contract;

  const ask = async <Kind extends Question['kind']>(
    kind: Kind,
    url: string,
    message: string,
    transaction: Transaction | null = null,
  ) => {
    const bytes = await post(url, message);
    const expected = transaction && { ...transaction, legalId: contract.legalId };
    const question = { kind, now: now().getTime(), certificates: acquirerCertificates, expected };
    const answer = await reader.answer(bytes, question);
    if (answer.kind === 'error') throw new EidFault('acquirer_error', answer.code);
    if (answer.kind !== kind) throw new EidFault('unexpected_message');
    return { bytes, answer: answer as Extract<ReadAnswer, { kind: Kind }> };
  };
  const listIssuers = async () =>
    (await ask('directory', directoryUrl, requests.directory(now()))).answer.issuers;

  return {
    listIssuers,
    async begin(order) {
      const { answer } = await ask('transaction', transactionUrl, requests.transaction(order, now()));
      const { transactionId, redirectUrl } = answer;
      if (!isFitAddress(redirectUrl, isSimulated(contract))) throw new EidFault('bad_address');
      return { transactionId, redirectUrl };
    },
    async fetchResult(transaction) {
      const request = requests.status(transaction.transactionId, now());
      const { bytes, answer } = await ask('status', statusUrl, request, transaction);
      const { confirmation } = answer;
      return confirmation === null
        ? otherResult(answer.status)
        : confirmed({ confirmation, bytes }, contract, reader);
    },
    async health() {
      try {
        return { works: true, issuers: await listIssuers() };
      } catch (error) {
        if (error instanceof EidFault) return { works: false, reason: error.message };
        throw error;
      }
    },
  };
}

const results: Readonly<Record<string, Exclude<EidResult, Confirmed>['status']>> = {
  Open: 'open',
  Pending: 'pending',
  Cancelled: 'cancelled',
  Expired: 'expired',
  Failure: 'failed',
};

function otherResult(status: string): EidResult {
  const known = results[status];
  if (known === undefined) throw new EidFault('missing_container');
  return { status: known };
}

type Confirmation = NonNullable<Extract<ReadAnswer, { kind: 'status' }>['confirmation']>;

async function confirmed(
  { confirmation, bytes }: { confirmation: Confirmation; bytes: Buffer },
  { privateKey }: IdinContract,
  reader: AnswerReader,
): Promise<Confirmed> {
  const { issuerId, sealed, deliveredService } = confirmation;
  const opened = sealed.map(({ prefixes, ...value }) => ({
    content: decrypted(value, privateKey),
    prefixes,
  }));
  const { subject, values } = await reader.attributes(opened);
  return {
    status: 'success',
    issuerId,
    level: 'substantial',
    complete: confirmation.complete && isAll(deliveredService) && hasPerson(values),
    attributes: values,
    subject: values.transientid === undefined && !subject.startsWith('TRANS') ? subject : null,
    evidence: { answer: bytes, sha256: sha256(bytes) },
  };
}

const isAll = (delivered: number | null): boolean =>
  delivered === null || (delivered & requestedService) === requestedService;

/** Without these two, nobody is identified, whatever the codes say. */
const hasPerson = ({ legallastname, dateofbirth }: Readonly<Record<string, string>>): boolean =>
  (legallastname ?? '') !== '' && dateofbirth !== undefined;

/** A bank's page is https. The page of the simulator is on loopback. */
function isFitAddress(address: string, simulated: boolean): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (simulated && protocol === 'http:' && loopbackHosts.includes(hostname));
}
