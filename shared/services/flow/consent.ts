import type { ConsentItem } from '#contract/enums.ts';
import type { Context } from '../context.ts';
import type { Link } from './find-link.ts';

/** The version of the consent text. The ledger records the version, so a new text needs a new version. */
export const consentVersion = 10;

/** Where a consent came from. It is proof for somebody who says "I never agreed". */
export type Sender = { address: string; userAgent: string };

const userAgentLengthMax = 300;

/** True if the person ticked everything that the method needs. `ticked` are texts that the browser sent. */
export const agreesToAll = ({ consents }: Pick<Link, 'consents'>, ticked: readonly string[]): boolean =>
  consents.every((item: ConsentItem) => ticked.includes(item));

/** Binds the sealed personal values of a command to its row. */
export const commandBinding = (verificationId: string, requestId: string): string =>
  `${verificationId}/${requestId}`;

export const sealedSender = (
  { secrets }: Pick<Context, 'secrets'>,
  binding: string,
  { address, userAgent }: Sender,
): Buffer => {
  const values = { address, user_agent: userAgent.slice(0, userAgentLengthMax) };
  return secrets.seal('command-personal', binding, JSON.stringify(values));
};

/** The line of the ledger seals these values again, with the data key of the verification. */
export const openSender = (
  { secrets }: Pick<Context, 'secrets'>,
  binding: string,
  sealed: Buffer,
): Record<string, unknown> => JSON.parse(secrets.open('command-personal', binding, sealed));
