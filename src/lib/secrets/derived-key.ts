import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** A 256-bit key per secret and purpose; the first belongs to the current secret. */
export function deriveKeys(secrets: readonly string[], purpose: string): readonly [KeyObject, ...KeyObject[]] {
  const derive = (secret: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `studytrack ${purpose}`, 32)));
  const [current, ...former] = secrets;
  if (current === undefined) throw new Error('there is no secret to derive a key from');
  return [derive(current), ...former.map(derive)];
}
