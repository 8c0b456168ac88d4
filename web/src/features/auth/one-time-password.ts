/**
 * The password of the sign-in that has just succeeded, so that a one-time password is not typed twice. In memory only,
 * until it is replaced.
 */
let kept = '';

export const oneTimePassword = {
  get: () => kept,
  keep(password: string): void {
    kept = password;
  },
  forget(): void {
    kept = '';
  },
};
