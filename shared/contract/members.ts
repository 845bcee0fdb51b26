/** The roles of a member of an organisation. `api/console/roles.ts` says what each may do in the console. */
export const memberRoles = ['owner', 'developer', 'reviewer', 'auditor'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** A member of these roles must have a second factor: an owner decides who is a member, and a reviewer sees pictures of people. */
export const rolesWithSecondFactor: readonly MemberRole[] = ['owner', 'reviewer'];

/** Links that are handed over by hand, since the product sends no mail. Each works once. */
export type MemberLinkKind = 'invitation' | 'reset';

export const memberLimits = {
  emailLengthMax: 254,
  passwordLengthMin: 10,
  passwordLengthMax: 200,
  linkLifetimeHours: { invitation: 72, reset: 24 } satisfies Record<MemberLinkKind, number>,
  /** A session ends at the latest after this time, and earlier if it is not used for the idle time. */
  sessionLifetimeHours: 12,
  sessionIdleMinutes: 60,
  /** The time for the second factor after the password was right. */
  halfSessionMinutes: 10,
  recoveryCodes: 10,
  membersPerOrganisationMax: 500,
  /** Attempts in one window, whether or not they succeed. */
  attempts: {
    windowSeconds: 900,
    perAddress: 60,
    perMember: 100,
    perMemberAndAddress: 10,
    perSecondFactor: 10,
  },
} as const;

/** An address as it is stored and compared: without white space around it, in lower case. */
export const normalEmail = (given: string): string => given.trim().toLowerCase();

export const isEmail = (email: string): boolean =>
  email.length <= memberLimits.emailLengthMax &&
  /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+\.[^\s@.<>"(),:;\\[\]]+$/.test(email);
