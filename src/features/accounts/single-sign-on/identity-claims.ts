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

  /** Undefined if the claim is missing or anything but a list of texts; Entra replaces long lists by a reference to another service. */
  function listed(claims: Claims, name: string, subject: string): string[] | undefined {
    const claim = claimAt(claims, name);
    const values = textsOf(claim);
    if (values !== undefined) return values;
    const isReferred = Object.hasOwn(Object(claims['_claim_names']), name);
    const reason = isReferred
      ? 'the provider sent a reference instead of the claim'
      : claim === undefined
        ? 'the provider sent no such claim'
        : 'the claim is not a list of texts';
    logger.warn({ claim: name, reason, subject, issuer }, 'single sign-on: unknown claim; nothing is changed by it');
    return undefined;
  }

  return {
    /** Whether nothing is missing that the user information of the provider may have. */
    isComplete(claims: Claims): boolean {
      const wanted = ['email', groupsClaim, adminClaim?.name].filter((name) => name !== undefined);
      const isVerified = trustsAddresses || ['email_verified', 'xms_edov'].some((name) => claims[name] !== undefined);
      return isVerified && wanted.every((name) => claimAt(claims, name) !== undefined);
    },

    identityOf(claims: Claims, subject: string): Identity {
      const groups = groupsClaim === undefined ? undefined : listed(claims, groupsClaim, subject);
      if (groups !== undefined && groups.length > maxGroups)
        logger.warn({ groups: groups.length, maxGroups, subject, issuer }, 'single sign-on: some groups are not used');
      return {
        issuer,
        subject,
        email: textOf(single(claims['email'])),
        // `xms_edov` is that of Microsoft Entra.
        email_verified: trustsAddresses || isTrue(claims['email_verified']) || isTrue(claims['xms_edov']),
        username: textOf(single(claims['preferred_username'])),
        display_name: textOf(single(claims['name'])),
        groups: groups?.slice(0, maxGroups),
        is_admin: adminClaim && listed(claims, adminClaim.name, subject)?.includes(adminClaim.value),
      };
    },
  };
}

/** Some providers send every claim as a list. */
const single = (claim: unknown): unknown => (Array.isArray(claim) && claim.length === 1 ? claim[0] : claim);

const isTrue = (claim: unknown): boolean => ['true', '1'].includes(String(single(claim)).trim().toLowerCase());

/** A claim by its name, or by the path to it, such as `realm_access.roles` of Keycloak. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  const isObject = (value: unknown): value is Claims =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return name.split('.').reduce<unknown>((within, part) => {
    return isObject(within) && Object.hasOwn(within, part) ? within[part] : undefined;
  }, claims);
}

const maxText = 255;

/** Undefined for a text that could not be stored. */
export function textOf(claim: unknown): string | undefined {
  const text = typeof claim === 'string' ? claim.trim() : '';
  return text === '' || text.length > maxText || /[\p{Cc}\p{Cs}]/u.test(text) ? undefined : text;
}

/**
 * A claim with one value or a list of them, which may be written as JSON; numbers, such as those of departments, and booleans as their
 * texts. Undefined if any of it is something else: to leave that out would end a membership.
 */
function textsOf(claim: unknown): string[] | undefined {
  const given = typeof claim === 'string' && /^\s*\[.*\]\s*$/s.test(claim) ? parsed(claim) : claim;
  const texts = [given].flat().map((value) => textOf(isPlain(value) ? `${value}` : value));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
