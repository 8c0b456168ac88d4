import type { Logger } from '../../../lib/log/logger.ts';

export type ClaimSettings = {
  groupsClaim: string | undefined;
  adminClaim: { name: string; value: string } | undefined;
  trustsAddresses: boolean;
};

/** Whom the provider has identified. `groups` and `is_admin` are undefined if it has not told them: then nothing changes. */
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

type Claims = Readonly<Record<string, unknown>>;
type Options = { settings: ClaimSettings; issuer: string; logger: Logger };

const maxGroups = 200;

/** Reads claims in the forms in which providers send them: lists or single values, and booleans also as texts or numbers. */
export function createClaimReader({ settings, issuer, logger }: Options) {
  const { groupsClaim, adminClaim, trustsAddresses } = settings;

  /** Undefined if the claim is missing or no text or list of them; Entra replaces long lists by a reference to another service. */
  function listed(claims: Claims, name: string, subject: string): string[] | undefined {
    const values = textsOf(claims[name]);
    if (values !== undefined) return values;
    const isReferred = Object.hasOwn(Object(claims['_claim_names']), name);
    const reason = isReferred
      ? 'the provider sent a reference instead of the claim'
      : 'the provider sent no such claim';
    logger.warn({ claim: name, reason, subject, issuer }, 'single sign-on: unknown claim; nothing is changed by it');
    return undefined;
  }

  return {
    /** The claims that a complete identity has. */
    wanted: ['email', groupsClaim, adminClaim?.name].filter((name) => name !== undefined),

    identityOf(claims: Claims, subject: string): Identity {
      const groups = groupsClaim === undefined ? undefined : listed(claims, groupsClaim, subject);
      if (groups !== undefined && groups.length > maxGroups)
        logger.warn({ groups: groups.length, maxGroups, subject, issuer }, 'single sign-on: some groups are not used');
      return {
        issuer,
        subject,
        email: textOf(claims['email']),
        // `xms_edov` is that of Microsoft Entra.
        email_verified: trustsAddresses || isTrue(claims['email_verified']) || isTrue(claims['xms_edov']),
        username: textOf(claims['preferred_username']),
        display_name: textOf(claims['name']),
        groups: groups?.slice(0, maxGroups),
        is_admin: adminClaim && listed(claims, adminClaim.name, subject)?.includes(adminClaim.value),
      };
    },
  };
}

const isTrue = (claim: unknown): boolean => claim === true || claim === 'true' || claim === 1 || claim === '1';

const maxText = 255;

/** Undefined for a text that could not be stored. */
export function textOf(claim: unknown): string | undefined {
  const text = typeof claim === 'string' ? claim.trim() : '';
  return text === '' || text.length > maxText || /[\p{Cc}\p{Cs}]/u.test(text) ? undefined : text;
}

/** A claim with one value or a list of them; numbers, such as those of departments, and booleans as their texts. */
function textsOf(claim: unknown): string[] | undefined {
  if (Array.isArray(claim)) return claim.flatMap((value) => textsOf(value) ?? []);
  if (typeof claim === 'string') return [textOf(claim) ?? []].flat();
  return typeof claim === 'number' || typeof claim === 'boolean' ? [String(claim)] : undefined;
}
