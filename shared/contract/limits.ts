/** Every number that a partner can run into (specification 8; decisions 7, 14, 18, 21, 23, 28 to 31). */
export const limits = {
  referenceLengthMax: 200,
  webhookDescriptionLengthMax: 200,
  webhookUrlLengthMax: 2048,
  activeWebhooksMax: 500,
  bodySizeBytesMax: 64 * 1024,
  idempotencyKeyLengthMax: 255,
  idempotencyRetentionHours: 24,
  linkLifetimeDays: 7,
  signatureAgeSecondsMax: 300,
  deliveryAttemptsMax: 6,
  responseExcerptBytesMax: 8 * 1024,
} as const;
