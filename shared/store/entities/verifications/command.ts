import { defineEntity, p } from '@mikro-orm/core';
import { bytes, createdAt } from '../columns.ts';
import { Verification } from './verification.ts';

/** The names of the commands that a caller or an end user gives to an open verification. */
export type CommandName = 'start' | 'submit' | 'decline' | 'complete';

/**
 * A command that was given and is not carried out yet. The API writes the row, and the workflow only receives the id. So nobody can
 * give a command through Temporal. A row is deleted when the command is carried out. Housekeeping deletes what is left after a day.
 */
export const Command = defineEntity({
  name: 'Command',
  tableName: 'commands',
  properties: {
    verificationId: () =>
      p.manyToOne(Verification).mapToPk().joinColumn('verification_id').deleteRule('cascade').primary(),
    /** The id of the request that gave the command. */
    requestId: p.text().primary(),
    /** The id of the key that the command came with. Null if a person gave it. */
    keyId: p.uuid().nullable(),
    name: p.text().$type<CommandName>(),
    data: p.json(),
    /** Personal values for the line of the ledger that the command becomes, encrypted. */
    personal: bytes().nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    {
      name: 'commands_expiring',
      expression: 'create index "commands_expiring" on "commands" ("created_at")',
    },
  ],
});
