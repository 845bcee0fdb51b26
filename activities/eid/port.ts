import type {
  BeginOrder,
  Begun,
  EidHealth,
  EidResult,
  Issuer,
  Returned,
  Transaction,
} from '#contract/eid.ts';

export type { BeginOrder, Begun, Confirmed, EidResult, Issuer, Transaction } from '#contract/eid.ts';

/**
 * An electronic identity, such as iDIN: a bank or another issuer confirms who a person is. A provider speaks to it under the contract
 * of one organisation. Its answers are verified before anything of them is used.
 */
export type EidProvider = {
  /** The issuers that a person can choose from. Throws `EidFault`. */
  listIssuers(): Promise<Issuer[]>;
  /**
   * Opens a transaction and returns where the person goes. Every call opens another transaction, so a call is never repeated after
   * its address was given out. Throws `EidFault`.
   */
  begin(order: BeginOrder): Promise<Begun>;
  /** Asks the issuer how a transaction ended. Throws `EidFault` if there is no answer, or none that can be trusted. */
  fetchResult(transaction: Transaction): Promise<EidResult>;
  /** Asks for the issuers, which says whether the contract works now. An answer that cannot be used is no error here. */
  health(): Promise<EidHealth>;
};

/** Why an answer is not used. */
export const refusals = [
  'too_large',
  'not_xml',
  'forbidden_markup',
  'outer_signature',
  'schema',
  'unexpected_message',
  'bad_address',
  'wrong_time',
  'wrong_transaction',
  'wrong_request',
  'missing_container',
  'status_mismatch',
  'assertion_signature',
  'wrong_audience',
  'wrong_issuer',
  'wrong_level',
  'not_yet_valid',
  'conditions_over',
  'not_decryptable',
  'wrong_attributes',
  'unreadable',
] as const;
export type Refusal = (typeof refusals)[number];

/** Why there is no answer. `acquirer_error` is an answer that says that the request failed. */
export const lacks = ['unreachable', 'late', 'http_error', 'acquirer_error'] as const;
export type FaultReason = Refusal | (typeof lacks)[number];

/** There is no answer that can be used. The message has no word of the answer. */
export class EidFault extends Error {
  readonly reason: FaultReason;
  /** The code of `acquirer_error`, such as `SE2700`. */
  readonly code: string | null;

  constructor(reason: FaultReason, code: string | null = null) {
    super(code === null ? reason : `${reason} ${code}`);
    this.reason = reason;
    this.code = code;
  }
}

/** What speaks to banks. The caller must close it after the last answer. */
export type Banks = {
  /** The banks under the contract of one organisation, which is given as JSON. Throws if it is no contract. */
  under(contract: string): EidProvider;
  /**
   * What the address says with which a person comes back. The form is that of the scheme, whatever the contract. Undefined if it has another
   * form.
   */
  parseReturn(query: URLSearchParams): Returned | undefined;
  close(): Promise<void>;
};
