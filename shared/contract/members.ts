/** The roles of a member of an organisation. `shared/policy/rights.ts` says what each may do in the console. */
export const memberRoles = ['owner', 'developer', 'reviewer', 'auditor'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** Every role in the console: those of members, and that of an operator, who belongs to no organisation. */
export const consoleRoles = [...memberRoles, 'operator'] as const;
export type ConsoleRole = (typeof consoleRoles)[number];

/**
 * The operators are the members of the row with this id in `organisations`, and of no other. So their sign-in, their sessions and their
 * history are those of every member, and a query of one organisation finds nothing for them. The row has no name, so no command can
 * name it. Constraints of the database keep it apart: it has no keys, and no member of another role.
 */
export const operatorsId = '00000000-0000-4000-8000-000000000000';

/**
 * A member of these roles must have a second factor: an owner decides who is a member, a developer makes keys, a reviewer sees pictures of
 * people and decides, and an operator can stop every organisation.
 */
export const rolesWithSecondFactor: readonly ConsoleRole[] = ['owner', 'developer', 'reviewer', 'operator'];

/** In this zone times are shown to a member who chose none: the service is for partners in the Netherlands. */
export const usualTimeZone = 'Europe/Amsterdam';

/** A member of these roles decides reviews. */
export const rolesThatDecide = ['owner', 'reviewer'] as const satisfies readonly MemberRole[];

/**
 * For this time after one member invited, reset or gave a role to another, the two do not decide the same review together. Somebody who
 * makes a link can use it too, and somebody who gives a role has chosen who decides.
 */
export const fourEyesDays = 30;

/** Links that are handed over by hand, since the product sends no mail. Each works once. */
export type MemberLinkKind = 'invitation' | 'reset';

export const memberLimits = {
  /** The largest picture that a member can hand in as a logo. */
  logoUploadBytesMax: 2 * 1024 * 1024,
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
  passkeysMax: 10,
  /** The time between showing a page and the answer of a device to it, and for what needs the password just before. */
  challengeMinutes: 10,
  /** Attempts in one window, whether or not they succeed. A network is a /48 of IPv6, or one address of IPv4. */
  attempts: {
    windowSeconds: 900,
    perAddress: 60,
    perNetwork: 240,
    /** For one member from one network, and again from a browser that is known. */
    perMemberAndAddress: 10,
    /** For one member from everywhere. Beyond it, only the first attempts of each network are tried, up to a further number. */
    perMember: 100,
    firstOfNetwork: 2,
    perMemberFirst: 1_000,
    /** Codes of a member, or passwords inside a session. */
    guesses: 10,
    guessesPerDay: 30,
    perLink: 20,
  },
} as const;

/** An address as it is stored and compared: without white space around it, in lower case. */
export const normalEmail = (given: string): string => given.trim().toLowerCase();

export const isEmail = (email: string): boolean =>
  email.length <= memberLimits.emailLengthMax &&
  /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+\.[^\s@.<>"(),:;\\[\]]+$/.test(email);
