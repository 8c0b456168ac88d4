import type { Scope } from '../../src/actor.ts';
import type { TestApp, TestUser } from './test-app.ts';

/** A valid body with the given fields. */
export const newToken = (fields: object) => ({
  name: 'Script',
  scopes: ['read'],
  expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  ...fields,
});

/** The user with a personal access token of these scopes. */
export async function createToken(
  app: TestApp,
  user: TestUser,
  scopes: readonly Scope[],
  fields: object = {},
): Promise<TestUser & { token_id: number }> {
  const response = await app
    .as(user)
    .post('/api/me/tokens', newToken({ scopes, ...fields }))
    .expect(201);
  return { ...user, token: response.body.data.token, token_id: response.body.data.id };
}
