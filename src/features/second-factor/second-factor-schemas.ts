import { z } from 'zod';
import { text } from '../../http/validation/fields.ts';
import { password } from '../passwords/password-schemas.ts';
import { recoveryCodeCount } from './totp.ts';

export const otp = text({ min: 1, max: 64 }).meta({
  description: 'The six digits that the authenticator application shows, or a recovery code.',
  example: '287082',
});

export const beginTotpBody = z.object({ current_password: password({ min: 1 }) });
export const confirmTotpBody = z.object({ otp });
export const disableTotpBody = z.object({ current_password: password({ min: 1 }), otp });

export const totpSetup = z.object({
  secret: z.string().meta({ description: 'In Base32, to be typed in.', example: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' }),
  otpauth_url: z.string().meta({
    description: 'The same as an address for authenticator applications.',
    example: 'otpauth://totp/Studytrack:lin?issuer=Studytrack&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  }),
  qr_svg: z.string().meta({ description: 'The address as a QR code, an SVG image.', example: '<svg></svg>' }),
  expires_in: z.int().meta({ description: 'Seconds within which a code must confirm it.', example: 600 }),
});

export const recoveryCodes = z.object({
  recovery_codes: z
    .array(z.string().meta({ example: '7h2k-9qwd-m4tx-c0vb' }))
    .meta({ description: `${recoveryCodeCount} codes, each valid once in place of a code. Returned only here.` }),
});
