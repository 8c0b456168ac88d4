import { Secret, TOTP } from 'otpauth';
import qrcode from 'qrcode';
import { digestOf } from '../../../lib/secrets/random-token.ts';
import { createOneTimePassword } from '../passwords/password-hasher.ts';

const periodSeconds = 30;
const stepsAround = 1; // for clock differences and typing

// Supported by every authenticator application; several silently ignore other algorithms.
function generator(secret: Secret, label = ''): TOTP {
  return new TOTP({ issuer: 'Studytrack', label, algorithm: 'SHA1', digits: 6, period: periodSeconds, secret });
}

export function createSecret(): string {
  return new Secret({ size: 20 }).base32;
}

export async function describeSecret(secret: string, username: string) {
  const otpauth_url = generator(Secret.fromBase32(secret), username).toString();
  const qr_svg = await qrcode.toString(otpauth_url, { type: 'svg', errorCorrectionLevel: 'M' });
  return { secret, otpauth_url, qr_svg };
}

/** The time step of a code: the current, previous or next one; undefined for a wrong code. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  if (!isTotpCode(code)) return undefined; // the library throws for other characters
  const timestamp = now.getTime();
  const delta = generator(Secret.fromBase32(secret)).validate({ token: code, timestamp, window: stepsAround });
  return delta === null ? undefined : Math.floor(timestamp / 1000 / periodSeconds) + delta;
}

export const recoveryCodeCount = 10;

/** Recovery codes of 80 bits, in groups of four, and their stored hashes. */
export function createRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: recoveryCodeCount }, () => createOneTimePassword().replace(/.{4}(?=.)/g, '$&-'));
  return { codes, hashes: codes.map(hashRecoveryCode) };
}

/** Not keyed, so that recovery codes stay valid when the secrets of the service are replaced. */
export function hashRecoveryCode(code: string): Buffer {
  return digestOf(code.toLowerCase().replaceAll('-', ''));
}

/** A code of an authenticator application, as opposed to a recovery code. */
export function isTotpCode(otp: string): boolean {
  return /^\d{6}$/.test(otp);
}
