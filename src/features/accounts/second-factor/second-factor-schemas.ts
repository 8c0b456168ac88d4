import { z } from 'zod';
import { text } from '../../../http/fields.ts';
import { confirmingPassword } from '../passwords/password-schemas.ts';
import { recoveryCodeCount } from './totp.ts';

/** As applications show codes and keyboards write digits: `123 456`, `１２３４５６`. */
const withoutSeparators = (code: string) => code.normalize('NFKC').replace(/[\s\p{Pd}]/gu, '');

export const otp = text({ min: 1, max: 64 }).overwrite(withoutSeparators).meta({
  description:
    'The six digits shown by the authenticator application, or a recovery code. Spaces and hyphens are ignored.',
  example: '287082',
});

export const beginTotpBody = z.object({ current_password: confirmingPassword });
export const confirmTotpBody = z.object({ otp });
export const disableTotpBody = z.object({ current_password: confirmingPassword, otp });

export const totpSetup = z.object({
  secret: z.string().meta({ description: 'In Base32, for manual entry.', example: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' }),
  otpauth_url: z.string().meta({
    description: 'The secret as a URL for authenticator applications.',
    example: 'otpauth://totp/Studytrack:lin?issuer=Studytrack&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  }),
  qr_svg: z.string().meta({ description: 'The URL as a QR code in SVG.', example: '<svg></svg>' }),
  expires_in: z.int().meta({ description: 'Seconds until the setup expires.', example: 600 }),
});

export const recoveryCodes = z.object({
  recovery_codes: z
    .array(z.string().meta({ example: '7h2k-9qwd-m4tx-c0vb' }))
    .meta({ description: `${recoveryCodeCount} codes, each valid once instead of a code. Returned only once.` }),
});
