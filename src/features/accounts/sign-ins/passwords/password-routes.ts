import { type Operation, operation } from '../../../../http/operation.ts';
import { changePasswordBody } from '../../passwords/password-schemas.ts';
import type { PasswordService } from './password-service.ts';

export function createPasswordRoutes({ passwords }: { passwords: PasswordService }): Operation[] {
  return [
    operation({
      tag: 'Sign-in',
      method: 'put',
      path: '/api/auth/password',
      id: 'changePassword',
      summary: 'Change your password',
      description: 'Ends all your other sign-ins. A wrong current password counts as a failed sign-in.',
      access: 'user',
      allowedBeforePasswordChange: true,
      body: changePasswordBody,
      message: 'password_changed',
      handler: async ({ actor, body, request }) => {
        await passwords.change(actor, body, request.address);
        return {};
      },
    }),
  ];
}
