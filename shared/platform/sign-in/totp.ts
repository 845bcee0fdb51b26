import { Secret, TOTP } from 'otpauth';

const stepSeconds = 30;
/** Codes of the step before and after count too, since the clock of a phone can differ. */
const toleranceSteps = 1;

const totpOf = (secret: Buffer, label = '', issuer = '') =>
  new TOTP({
    issuer,
    label,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
    algorithm: 'SHA1',
    digits: 6,
    period: stepSeconds,
  });

/** The address for an authenticator app (a QR code), and the same secret to be typed. */
export function totpEnrolment(secret: Buffer, { label, issuer }: { label: string; issuer: string }) {
  const totp = totpOf(secret, label, issuer);
  return { uri: totp.toString(), typed: totp.secret.base32 };
}

/** Returns the step (of 30 s since 1970) whose code this is. Undefined if the code is wrong or too old. */
export function totpStep(secret: Buffer, code: string, at: Date): number | undefined {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totpOf(secret).validate({ token, timestamp: at.getTime(), window: toleranceSteps });
  return delta === null ? undefined : Math.floor(at.getTime() / 1_000 / stepSeconds) + delta;
}

/** The code of a moment. */
export const totpCode = (secret: Buffer, at: Date): string =>
  totpOf(secret).generate({ timestamp: at.getTime() });
