import { OtpSetupRequiredError, PasswordChangeRequiredError } from '../errors.ts';
import type { Actor } from '../features/auth/identity.ts';
import type { Operation } from './operation.ts';

export type RequireOtp = 'none' | 'admin' | 'all';

type Declared = Pick<Operation, 'allowedBeforePasswordChange' | 'allowedBeforeOtpSetup'>;

export function assertAccountReady(operation: Declared, actor: Actor, requireOtp: RequireOtp): void {
  if (operation.allowedBeforePasswordChange === true) return;
  if (actor.must_change_password) throw new PasswordChangeRequiredError();
  if (operation.allowedBeforeOtpSetup === true) return;
  const isRequired = requireOtp === 'all' || (requireOtp === 'admin' && actor.role === 'admin');
  if (isRequired && !actor.totp_enabled) throw new OtpSetupRequiredError();
}
