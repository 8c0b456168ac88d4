import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** A 256-bit key per secret and purpose; the first belongs to the current secret. */
export function deriveKeys(secrets: readonly string[], purpose: string): readonly [KeyObject, ...KeyObject[]] {
  const derive = (secret: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `studytrack ${purpose}`, 32)));
  const [current, ...former] = secrets;
  if (current === undefined) throw new Error('there is no secret to derive a key from');
  return [derive(current), ...former.map(derive)];
}

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

export type Encryption = ReturnType<typeof createEncryption>;

/** AES-256-GCM for text in the database, with keys derived from the service's secrets. The first encrypts, all decrypt (rotation). */
export function createEncryption(secrets: readonly string[], purpose: string) {
  const keys = deriveKeys(secrets, `${purpose}, sealed`);
  const digestKeys = deriveKeys(secrets, `${purpose}, digest`);

  return {
    encrypt(text: string): string {
      const iv = randomBytes(ivBytes);
      const encrypt = createCipheriv(cipher, keys[0], iv);
      const content = Buffer.concat([encrypt.update(text, 'utf8'), encrypt.final()]);
      return Buffer.concat([iv, encrypt.getAuthTag(), content]).toString('base64url');
    },

    decrypt(encrypted: string): string | undefined {
      const bytes = Buffer.from(encrypted, 'base64url');
      for (const key of keys) {
        const text = decrypt(key, bytes);
        if (text !== undefined) return text;
      }
      return undefined;
    },

    /** Keyed, so that it cannot be brute-forced without the secret. */
    digest: (text: string): Buffer => digest(digestKeys[0], text),

    matches: (text: string, known: Buffer): boolean =>
      digestKeys.some((key) => known.length === 32 && timingSafeEqual(digest(key, text), known)),
  };
}

function digest(key: KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function decrypt(key: KeyObject, bytes: Buffer): string | undefined {
  try {
    const decipher = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
