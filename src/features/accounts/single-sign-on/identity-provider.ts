import * as oidc from 'openid-client';
import { createCircuitBreaker } from '../../../lib/circuit-breaker.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import { PermissionDeniedError, UnauthorizedError } from '../../../texts/access-errors.ts';
import { AppError, UnavailableError } from '../../../texts/errors.ts';
import { type ClaimSettings, createClaimReader, type Identity, textOf } from './identity-claims.ts';

export type { Identity } from './identity-claims.ts';

type ProviderSettings = ClaimSettings & {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** How the secret is sent; undefined: by what the provider supports. */
  clientAuth: ClientAuthMethod | undefined;
  scope: string;
};

const clientAuthMethods = ['client_secret_basic', 'client_secret_post'] as const;
type ClientAuthMethod = (typeof clientAuthMethods)[number];

export type Secrets = { state: string; nonce: string; code_verifier: string };

type Options = { settings: ProviderSettings; redirectUri: string; logger: Logger; now?: () => number };
export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

const timeoutSeconds = 10;
/** How long sign-ins are refused at once after the provider has not answered. */
const pauseSeconds = 5;
/** The provider's description is read again after an hour; its keys, when a token names an unknown one. */
const descriptionMilliseconds = 3_600_000;

/** The OpenID Connect provider of the settings. Nothing is requested from it before the first sign-in. */
export function createIdentityProvider({ settings, redirectUri, logger, now }: Options) {
  const { issuer, clientId, clientSecret, clientAuth, scope } = settings;
  const isPlainHttp = issuer.startsWith('http:');
  const claimReader = createClaimReader({ settings, issuer, logger });
  const request = createCircuitBreaker({ seconds: pauseSeconds, isOutage, message: 'sso_unavailable', now });
  let known: { description: Promise<oidc.Configuration>; until: number } | undefined;

  /** In the `Authorization` header, which is the default of the specification, unless the provider only supports the body. */
  const authenticate: oidc.ClientAuth = (server, ...rest) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const method = clientAuth ?? clientAuthMethods.find((one) => supported.includes(one)) ?? 'client_secret_basic';
    const send = method === 'client_secret_post' ? oidc.ClientSecretPost : oidc.ClientSecretBasic;
    send(clientSecret)(server, ...rest);
  };

  function discover(): Promise<oidc.Configuration> {
    if (known !== undefined && known.until > Date.now()) return known.description;
    const description = oidc.discovery(new URL(issuer), clientId, undefined, authenticate, {
      // The signature is verified although the token comes straight from the provider.
      execute: [oidc.enableNonRepudiationChecks, ...(isPlainHttp ? [oidc.allowInsecureRequests] : [])],
      timeout: timeoutSeconds,
    });
    const current = { description, until: Date.now() + descriptionMilliseconds };
    known = current;
    description.catch(() => {
      if (known === current) known = undefined;
    });
    return description;
  }

  async function describe(): Promise<oidc.Configuration> {
    try {
      return await discover();
    } catch (error) {
      throw rejected(error, new UnavailableError('sso_unavailable'));
    }
  }

  function rejected(error: unknown, answer: AppError): AppError {
    const { code, message, cause } = error instanceof Error ? { code: undefined, ...error, ...textsOf(error) } : {};
    logger.warn({ code, reason: message, cause, issuer }, 'single sign-on failed');
    return answer;
  }

  return {
    /** Throws UnavailableError. */
    async begin(): Promise<Secrets & { url: string }> {
      const provider = await request(describe);
      const secrets = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        code_verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope,
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(secrets.code_verifier),
        code_challenge_method: 'S256',
      });
      return { ...secrets, url: url.href };
    },

    /**
     * Exchanges the code in the query with which the provider sent the browser back. Throws UnauthorizedError for a response or token
     * that is not valid, PermissionDeniedError if the provider refused, and UnavailableError.
     */
    async identify(query: string, { state, nonce, code_verifier }: Secrets): Promise<Identity> {
      const work = async () => {
        const provider = await describe();
        const tokens = await oidc.authorizationCodeGrant(provider, new URL(`${redirectUri}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: code_verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined || textOf(claims.sub) === undefined) throw new Error('the subject cannot be stored');
        const hasMore = !claimReader.isComplete(claims) && provider.serverMetadata().userinfo_endpoint !== undefined;
        const more = hasMore ? await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub) : {};
        // Some providers send null in the token for what the user information has.
        const sent = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null));
        return claimReader.identityOf({ ...more, ...sent }, claims.sub);
      };
      try {
        return await request(work);
      } catch (error) {
        throw error instanceof UnavailableError ? error : rejected(error, answerTo(error));
      }
    },
  };
}

/** Of an error and of its cause, which says more, such as the address that refuses connections or the error that the provider names. */
const textsOf = (error: Error) => ({ message: error.message, cause: causeOf(error) });

/** Without texts of the provider, which may contain a secret: of its errors only their codes. */
function causeOf(error: Error): string | undefined {
  const { cause } = error;
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError)
    return /^[a-z_]{1,40}$/.test(error.error) ? error.error : undefined;
  if (cause instanceof Response) return `HTTP ${cause.status}`;
  return cause instanceof Error ? cause.message : undefined;
}

/** Whether the provider cannot be reached or fails, and has not refused something. */
function isOutage(error: unknown): boolean {
  return (
    error instanceof UnavailableError ||
    (error instanceof oidc.ResponseBodyError && error.status >= 500) ||
    (error instanceof oidc.ClientError && /^OAUTH_(TIMEOUT|ABORT|RESPONSE_IS_NOT)/.test(error.code ?? '')) ||
    (error instanceof TypeError && error.message === 'fetch failed')
  );
}

function answerTo(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof oidc.AuthorizationResponseError) return new PermissionDeniedError('sso_denied');
  return isOutage(error) ? new UnavailableError('sso_unavailable') : new UnauthorizedError('sso_invalid');
}
