/** An issuer of an electronic identity, as the page shows it. `id` is the BIC of a bank. */
export type Issuer = { id: string; name: string; country: string };

/** What the address says with which a person comes back from an issuer. It proves nothing. */
export type Returned = { transactionId: string; entranceCode: string };

/** Whether a contract works now. `reason`: why its acquirer gave no answer that can be used. */
export type EidHealth = { works: true; issuers: Issuer[] } | { works: false; reason: string };

/** A contract under which a person can go to a bank now. `text` is its JSON, with the private key. */
export type OpenContract = { text: string; simulated: boolean; issuers: readonly Issuer[] };

/** A contract that its acquirer has just answered. */
export type TriedContract = OpenContract & { certificateEndsAt: Date };

/**
 * What came of a contract that somebody gave. `faulty`: what is wrong with it, without a value. `over`: its certificate is. `unanswered`: its
 * acquirer gave no answer that can be used, with the reason.
 */
export type ContractTrial =
  | { is: 'working'; contract: TriedContract }
  | { is: 'faulty'; faults: string[] }
  | { is: 'unanswered'; reason: string }
  | { is: 'over' | 'on_loopback' };

/** A transaction that is not over. `wanted`: the person chose a bank. `asked`: the acquirer was asked to begin, which happens once. */
export const openEidStatuses = ['wanted', 'asked', 'open'] as const;

/**
 * How a transaction ended. The first four are what the bank says. `not_begun`: the acquirer began nothing that a person could use.
 * `unanswered`: no answer could be used for a day, or none can be used any more. `unused`: the bank confirmed the person when the flow had ended already. `replaced`: the
 * link with which the person went to the bank was replaced meanwhile.
 */
export const endedEidStatuses = [
  ...(['success', 'cancelled', 'expired', 'failed'] as const),
  ...(['not_begun', 'unanswered', 'unused', 'replaced'] as const),
] as const;
export type EidStatus = (typeof openEidStatuses)[number] | (typeof endedEidStatuses)[number];

export type BeginOrder = {
  /** Names the request in the answer: a letter, then letters and digits, at most 35. */
  requestId: string;
  issuerId: string;
  returnUrl: string;
  /** Comes back with the person: 1 to 40 letters and digits. */
  entranceCode: string;
  language: 'en' | 'nl';
  expiresInSeconds: number;
};
export type Begun = { transactionId: string; redirectUrl: string };

/** What is known of a transaction since its beginning. The answer must fit it. */
export type Transaction = { transactionId: string; requestId: string; issuerId: string };

export type EidResult = { status: 'open' | 'pending' | 'cancelled' | 'expired' | 'failed' } | Confirmed;

/** The issuer confirmed a person. */
export type Confirmed = {
  status: 'success';
  issuerId: string;
  level: 'substantial';
  /** True if the issuer gave everything that was asked for. */
  complete: boolean;
  /** Personal values by the names of the scheme. They belong in no log and in no workflow. */
  attributes: Readonly<Record<string, string>>;
  /** The same for every transaction of this person with this organisation. Null if the issuer gave one for this transaction alone. */
  subject: string | null;
  /** The answer as it came, and its SHA-256. */
  evidence: { answer: Buffer; sha256: Buffer };
};
