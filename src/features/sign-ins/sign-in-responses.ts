import type { z } from 'zod';
import type { SignInRow } from './sign-in-repository.ts';
import type { signIn } from './sign-in-schemas.ts';

export function toSignInResponse(row: SignInRow, currentId: string): z.input<typeof signIn> {
  const { id, device, address, created_at, last_used_at, expires_at } = row;
  return { id, device, address, created_at, last_used_at, expires_at, current: id === currentId };
}
