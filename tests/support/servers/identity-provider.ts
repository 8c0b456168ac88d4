import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import jwt from 'jsonwebtoken';
import Provider from 'oidc-provider';

const client = { OIDC_CLIENT_ID: 'studytrack', OIDC_CLIENT_SECRET: 'a secret of the client' };

type Claims = Record<string, unknown>;
/** What the provider does next; tests change it. */
type Behaviour = {
  subject: string;
  claims: Claims | ((subject: string) => Claims);
  /** Whether it refuses instead of signing in. */
  denies: boolean;
  /** Changes the claims of the ID token, which is then signed again. */
  change: ((claims: Claims) => Claims) | undefined;
  /** Whether it signs with a key that it does not publish. */
  hasForeignKey: boolean;
  /** Whether tokens are signed with the secret of the client, as by a provider that has no key. */
  hasNoKey: boolean;
  /** What it waits for before it answers. */
  until: Promise<unknown> | undefined;
};

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
/** The same for all providers of a process, because making one takes some 100 ms. */
let keys: readonly [key: KeyObject, foreignKey: KeyObject] | undefined;

type Options = {
  publicUrl?: string;
  clientAuth?: 'client_secret_basic' | 'client_secret_post' | undefined;
  /** With which it says that it signs tokens. */
  algorithm?: 'HS256' | undefined;
};

/** An OpenID Connect provider that signs everybody in at once, as the person whom the test names. */
export async function startIdentityProvider({ publicUrl = 'http://study.test', clientAuth, algorithm }: Options = {}) {
  const redirectUri = `${publicUrl}/sign-in/callback`;
  const behaviour: Behaviour = {
    subject: 'nobody',
    claims: {},
    denies: false,
    change: undefined,
    hasForeignKey: false,
    hasNoKey: false,
    until: undefined,
  };
  keys ??= [newKey(), newKey()];
  const [key, foreignKey] = keys;
  let handle: Parameters<typeof createServer>[1] = (_, response) => response.writeHead(503).end();
  const server = createServer((request, response) => void handle?.(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.OIDC_CLIENT_ID,
        client_secret: client.OIDC_CLIENT_SECRET,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: clientAuth ?? 'client_secret_basic',
        ...(algorithm && { id_token_signed_response_alg: algorithm }),
      },
    ],
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), kid: 'current', use: 'sig' }] } as never, // a JWK of this key
    cookies: { keys: ['the cookies of the provider'] },
    ...(clientAuth && { clientAuthMethods: [clientAuth] }),
    ...(algorithm && { enabledJWA: { idTokenSigningAlgValues: [algorithm] } }),
    scopes: ['openid', 'offline_access', 'email', 'profile', 'groups'],
    claims: {
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
      groups: ['groups'],
    },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: async () => {
        const { claims } = behaviour;
        return { sub: accountId, ...(typeof claims === 'function' ? claims(accountId) : claims) };
      },
    }),
    async loadExistingGrant({ oidc: { client: known, session } }) {
      const grant = new provider.Grant({ clientId: known?.clientId ?? '', accountId: session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    await next();
    const { body } = context;
    if (context['oidc']?.route !== 'token' || typeof body !== 'object' || !('id_token' in body)) return;
    if (behaviour.change === undefined && !behaviour.hasForeignKey && !behaviour.hasNoKey) return;
    const claims = jwt.decode(String(body.id_token)) as Claims; // a JWT of the provider
    context.body = { ...body, id_token: sign(behaviour.change?.(claims) ?? claims) };
  });
  const sign = (claims: Claims) =>
    behaviour.hasNoKey
      ? jwt.sign(claims, client.OIDC_CLIENT_SECRET, { algorithm: 'HS256' })
      : jwt.sign(claims, pem(behaviour.hasForeignKey ? foreignKey : key), { algorithm: 'RS256', keyid: 'current' });
  const callback = provider.callback();
  handle = async (request, response) => {
    await behaviour.until;
    if (request.url?.startsWith('/interaction/') !== true) return callback(request, response);
    const result = behaviour.denies
      ? { error: 'access_denied', error_description: 'refused' }
      : { login: { accountId: behaviour.subject } };
    await provider.interactionFinished(request, response, result);
  };

  return {
    issuer,
    settings: {
      ...{ ...client, OIDC_ISSUER: issuer, PUBLIC_URL: publicUrl },
      OIDC_SCOPE: 'openid email profile groups',
    },
    /** Whom it signs in from now on. */
    be(subject: string, claims: Behaviour['claims'] = {}, more: Partial<Behaviour> = {}) {
      const usual = { denies: false, change: undefined, hasForeignKey: false, hasNoKey: false, until: undefined };
      Object.assign(behaviour, { subject, claims, ...usual }, more);
    },
    /** Follows the redirects of a browser; returns the query with which it is sent back. */
    async visit(url: string): Promise<string> {
      const cookies = new Map<string, string>();
      for (let next = url; ; ) {
        if (next.startsWith(redirectUri)) return new URL(next).search.slice(1);
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
        const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${response.status} ${await response.text()}`);
        next = new URL(location, issuer).href;
      }
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type TestProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }).toString();
