import type { Scenario } from '#contract/enums.ts';
import type { Consent } from '#contract/workflows.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';
import type { CommandName } from '../entities/verifications/command.ts';

/** The link that a person's command came through. Absent in a command that an earlier version stored. */
type OfLink = { linkVersion?: number };

/** What each command contains. A scenario of null means the scenario that the verification was created with. */
type CommandData = {
  start: OfLink & { consent: Consent };
  submit: OfLink;
  decline: OfLink;
  /** `memberId` if a member gave the command, and no key. */
  complete: { scenario: Scenario | null; memberId?: string };
};

type Given<Name extends CommandName> = {
  requestId: string;
  /** Null if a person gave the command. */
  keyId: string | null;
  name: Name;
  data: CommandData[Name];
  /** Personal values for the ledger, encrypted. */
  personal?: Buffer;
};

/** The commands to one verification. */
export const commandsOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => ({
  /**
   * Does nothing if the verification is already completed. Personal values are given to a verification that is not erased, and only an
   * erasure that comes later finds them: so this waits for one that is under way.
   */
  async give<Name extends CommandName>({
    requestId,
    keyId,
    name,
    data,
    personal,
  }: Given<Name>): Promise<void> {
    await db
      .insertInto('commands')
      .columns(['verificationId', 'requestId', 'keyId', 'name', 'data', 'personal'])
      .expression((eb) =>
        eb
          .selectFrom('verifications')
          .select(({ val, cast }) => [
            'id',
            val(requestId).as('requestId'),
            cast<string | null>(val(keyId), 'uuid').as('keyId'),
            val(name).as('name'),
            cast<unknown>(val(JSON.stringify(data)), 'jsonb').as('data'),
            cast<Buffer | null>(val(personal ?? null), 'bytea').as('personal'),
          ])
          .where('id', '=', verificationId)
          .where('orgId', '=', orgId)
          .where('environment', '=', environment)
          .where('status', '<>', 'completed')
          .$if(personal !== undefined, (query) => query.where('erasedAt', 'is', null).forShare()),
      )
      .execute();
  },

  /** Returns undefined if nobody gave this command since `keptSince`. The caller must hold a lock on the verification. */
  async find<Name extends CommandName>(
    requestId: string,
    name: Name,
    keptSince: Date,
  ): Promise<(CommandData[Name] & { keyId: string | null; personal: Buffer | null }) | undefined> {
    const found = await db
      .selectFrom('commands')
      .select(['data', 'keyId', 'personal'])
      .where('verificationId', '=', verificationId)
      .where('requestId', '=', requestId)
      .where('name', '=', name)
      .where('createdAt', '>=', keptSince)
      .executeTakeFirst();
    return found && { ...(found.data as CommandData[Name]), keyId: found.keyId, personal: found.personal };
  },

  /** Builds the write that deletes a command that is carried out. */
  remove: (requestId: string) =>
    db.deleteFrom('commands').where('verificationId', '=', verificationId).where('requestId', '=', requestId),

  /** Builds the write that deletes all commands. A completed verification carries out no further command. */
  removeAll: () => db.deleteFrom('commands').where('verificationId', '=', verificationId),
});
