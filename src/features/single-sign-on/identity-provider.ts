import * as oidc from 'openid-client';
import { AppError, PermissionDeniedError, UnauthorizedError, UnavailableError } from '../../errors.ts';
import type { Logger } from '../../lib/log/logger.ts';

export type ProviderSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  groupsClaim: string | undefined;
  adminClaim: { name: string; value: string } | undefined;
  trustsAddresses: boolean;
};

/** Whom the provider has identified. `groups` and `is_admin` are undefined where the settings name no claim. */
export type Identity = {
  issuer: string;
  subject: string;
  email: string | undefined;
  email_verified: boolean;
  username: string | undefined;
  display_name: string | undefined;
  groups: string[] | undefined;
  is_admin: boolean | undefined;
};

export type Secrets = { state: string; nonce: string; code_verifier: string };

type Options = { settings: ProviderSettings; redirectUri: string; logger: Logger };
export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

const timeoutSeconds = 10;
/** The provider's description is read again after an hour; its keys, when a token names an unknown one. */
const descriptionMilliseconds = 3_600_000;
const maxGroups = 200;

/** The OpenID Connect provider of the settings. Nothing is requested from it before the first sign-in. */
export function createIdentityProvider({ settings, redirectUri, logger }: Options) {
  const { issuer, clientId, clientSecret, scope, groupsClaim, adminClaim, trustsAddresses } = settings;
  const isPlainHttp = issuer.startsWith('http:');
  let known: { description: Promise<oidc.Configuration>; until: number } | undefined;

  function discover(): Promise<oidc.Configuration> {
    if (known !== undefined && known.until > Date.now()) return known.description;
    const description = oidc.discovery(new URL(issuer), clientId, undefined, oidc.ClientSecretPost(clientSecret), {
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
    const { code, message } = error instanceof Error ? { code: undefined, ...error, message: error.message } : {};
    logger.warn({ code, reason: message, issuer }, 'single sign-on failed');
    return answer;
  }

  function answerTo(error: unknown): AppError {
    if (error instanceof AppError) return error;
    if (error instanceof oidc.AuthorizationResponseError) return new PermissionDeniedError('sso_denied');
    const isDown =
      (error instanceof oidc.ResponseBodyError && error.status >= 500) ||
      (error instanceof oidc.ClientError && /^OAUTH_(TIMEOUT|ABORT|RESPONSE_IS_NOT)/.test(error.code ?? '')) ||
      (error instanceof TypeError && error.message === 'fetch failed');
    return isDown ? new UnavailableError('sso_unavailable') : new UnauthorizedError('sso_invalid');
  }

  function identityOf(claims: Readonly<Record<string, unknown>>, subject: string): Identity {
    const groups = groupsClaim === undefined ? undefined : textsOf(claims[groupsClaim]);
    return {
      issuer,
      subject,
      email: textOf(claims['email']),
      // `xms_edov` is that of Microsoft Entra.
      email_verified: trustsAddresses || claims['email_verified'] === true || claims['xms_edov'] === true,
      username: textOf(claims['preferred_username']),
      display_name: textOf(claims['name']),
      groups: groups?.slice(0, maxGroups),
      is_admin: adminClaim && textsOf(claims[adminClaim.name]).includes(adminClaim.value),
    };
  }

  return {
    /** Throws UnavailableError. */
    async begin(): Promise<Secrets & { url: string }> {
      const provider = await describe();
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
      const provider = await describe();
      try {
        const tokens = await oidc.authorizationCodeGrant(provider, new URL(`${redirectUri}?${query}`), {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: code_verifier, idTokenExpected: true },
        });
        const claims = tokens.claims();
        if (claims === undefined || textOf(claims.sub) === undefined) throw new UnauthorizedError('sso_invalid');
        const wanted = ['email', groupsClaim, adminClaim?.name];
        const isComplete = wanted.every((name) => name === undefined || claims[name] !== undefined);
        const hasMore = !isComplete && provider.serverMetadata().userinfo_endpoint !== undefined;
        const more = hasMore ? await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub) : {};
        return identityOf({ ...more, ...claims }, claims.sub);
      } catch (error) {
        throw rejected(error, answerTo(error));
      }
    },
  };
}

const maxText = 255;

/** Undefined for a text that could not be stored. */
function textOf(claim: unknown): string | undefined {
  const text = typeof claim === 'string' ? claim.trim() : '';
  return text === '' || text.length > maxText || /[\p{Cc}\p{Cs}]/u.test(text) ? undefined : text;
}

/** A claim with one value or a list of them. */
function textsOf(claim: unknown): string[] {
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.flatMap((value) => textOf(value) ?? []);
}
