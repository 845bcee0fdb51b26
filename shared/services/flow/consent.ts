import type { ConsentItem } from '#contract/enums.ts';
import type { Context } from '../context.ts';
import { personalValues, type SealedFor } from '../ledger/append.ts';
import type { Link } from './find-link.ts';

/** The version of the consent text. The ledger records the version, so a new text needs a new version. */
export const consentVersion = 2;

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

/** Seals the values of a command again, for the line of the ledger. */
export const personalOfCommand = (
  ctx: Pick<Context, 'secrets'>,
  binding: string,
  sealed: Buffer | null,
): SealedFor | undefined =>
  sealed === null
    ? undefined
    : personalValues(ctx, JSON.parse(ctx.secrets.open('command-personal', binding, sealed)));
