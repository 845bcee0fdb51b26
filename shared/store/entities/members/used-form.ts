import { defineEntity, p } from '@mikro-orm/core';
import { bytes, createdAt } from '../columns.ts';
import { MemberSession } from './member-session.ts';

/** A form of the console that a session has sent. The same form is not carried out a second time. */
export const UsedForm = defineEntity({
  name: 'UsedForm',
  tableName: 'used_forms',
  properties: {
    sessionId: () =>
      p.manyToOne(MemberSession).mapToPk().joinColumn('session_id').deleteRule('cascade').primary(),
    nonce: bytes().primary(),
    createdAt: createdAt(),
  },
});
