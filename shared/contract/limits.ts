/** The limits for partners and end users (specification 8; decisions 7, 14, 18, 21, 23, 28 to 31, 35). */
export const limits = {
  requestsPerMinute: 120,
  failedAuthenticationsPerMinute: 60,
  rateLimitWindowSeconds: 60,
  listLimitMax: 100,
  listLimitDefault: 20,
  webhookListLimitMax: 500,
  agentListLimitMax: 25,
  referenceLengthMax: 200,
  webhookDescriptionLengthMax: 200,
  webhookUrlLengthMax: 2048,
  settingLengthMax: 200,
  settingUrlLengthMax: 2048,
  activeWebhooksMax: 500,
  workingKeysMax: 500,
  bodySizeBytesMax: 64 * 1024,
  idempotencyKeyLengthMax: 255,
  idempotencyRetentionHours: 24,
  requestLogRetentionDays: 30,
  requestRetentionDays: 30,
  eventBodyRetentionDays: 30,
  linkLifetimeDays: 7,
  linkLifetimeHoursAfterStart: 24,
  /** A picture that was taken and not sent is kept no longer, however often its link is renewed. */
  unsentPictureHoursMax: 48,
  linksPerVerificationMax: 1_000,
  pictureSizeBytesMax: 12 * 1024 * 1024,
  picturesPerVerificationMax: 100,
  stepsPerLinkPerMinute: 60,
  /** A reviewer who works on a verification extends the claim. */
  reviewClaimMinutes: 15,
  /** A reviewer can take a decision back for so long. Then it is carried out. */
  reviewHeldSeconds: 10,
  reviewReasonsMax: 10,
  reviewNoteCharacters: 500,
  /** Five years, of which two may be leap years. */
  verificationRetentionDays: 5 * 365 + 2,
  abandonedRetentionDays: 90,
  signatureAgeSecondsMax: 300,
  deliveryAttemptsMax: 6,
  secretOverlapHoursMax: 168,
  responseExcerptBytesMax: 8 * 1024,
} as const;

/** Hosts of this machine, as the URL parser writes them. Only there plain http is enough for a bank or for a way back. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
