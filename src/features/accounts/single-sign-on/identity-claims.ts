import type { Logger } from '../../../lib/log/logger.ts';
import { joinName } from '../../../lib/person-name.ts';

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

  function warn(name: string, reason: string, subject: string): undefined {
    logger.warn({ claim: name, reason, subject, issuer }, 'single sign-on: unknown claim; nothing is changed by it');
  }

  /** Undefined if the claim is missing or cannot be read with certainty; Entra replaces long lists by a reference to another service. */
  function listed<T>(claims: Claims, name: string, subject: string, read: (claim: unknown) => T | undefined) {
    const claim = claimAt(claims, name);
    const value = read(claim);
    if (value !== undefined) return value;
    const isReferred = Object.hasOwn(Object(claims['_claim_names']), name);
    const reason = isReferred
      ? 'the provider sent a reference instead of the claim'
      : claim === undefined
        ? 'the provider sent no such claim'
        : 'the claim is not a list of texts';
    return warn(name, reason, subject);
  }

  function textAt(claims: Claims, name: string, subject: string): string | undefined {
    const claim = single(claims[name]);
    const text = textOf(claim);
    const isEmpty = claim == null || (typeof claim === 'string' && claim.trim() === '');
    return text !== undefined || isEmpty ? text : warn(name, 'the claim is not a text, or too long', subject);
  }

  /** From `name`, or from its two parts, of which some providers only send these. */
  function displayNameOf(claims: Claims, subject: string): string | undefined {
    const whole = textAt(claims, 'name', subject);
    if (whole !== undefined) return whole;
    const [given, family] = ['given_name', 'family_name'].map((name) => textAt(claims, name, subject) ?? '');
    return textOf(joinName(given ?? '', family ?? ''));
  }

  function isVerified(claims: Claims, subject: string): boolean {
    if (trustsAddresses) return true;
    // `xms_edov` is that of Microsoft Entra.
    const given = ['email_verified', 'xms_edov'].filter((name) => claims[name] != null);
    for (const name of given)
      if (booleanOf(claims[name]) === undefined) warn(name, 'the claim is neither true nor false', subject);
    if (given.length === 0) warn('email_verified', 'the provider sent no such claim', subject);
    return given.some((name) => booleanOf(claims[name]) === true);
  }

  return {
    /** Whether nothing is missing that the user information of the provider may have. */
    isComplete(claims: Claims): boolean {
      const wanted = ['email', groupsClaim, adminClaim?.name].filter((name) => name !== undefined);
      const saysVerified = trustsAddresses || ['email_verified', 'xms_edov'].some((name) => claims[name] != null);
      return saysVerified && wanted.every((name) => claimAt(claims, name) != null);
    },

    identityOf(claims: Claims, subject: string): Identity {
      const groups = groupsClaim === undefined ? undefined : listed(claims, groupsClaim, subject, groupsOf);
      if (groups !== undefined && groups.length > maxGroups)
        logger.warn({ groups: groups.length, maxGroups, subject, issuer }, 'single sign-on: some groups are not used');
      return {
        issuer,
        subject,
        email: textAt(claims, 'email', subject),
        email_verified: isVerified(claims, subject),
        username: textAt(claims, 'preferred_username', subject),
        display_name: displayNameOf(claims, subject),
        groups: groups?.slice(0, maxGroups),
        is_admin: adminClaim && listed(claims, adminClaim.name, subject, (claim) => includes(claim, adminClaim.value)),
      };
    },
  };
}

/** Some providers send every claim as a list. */
const single = (claim: unknown): unknown => (Array.isArray(claim) && claim.length === 1 ? claim[0] : claim);

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
const booleanOf = (claim: unknown) => booleans.get(String(single(claim)).trim().toLowerCase());

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
  const texts = [unwrapped(claim)].flat().map((value) => textOf(isPlain(value) ? `${value}` : value));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** What a text of JSON stands for. */
function unwrapped(claim: unknown): unknown {
  if (typeof claim !== 'string' || !/^\s*(\[.*\]|\{.*\}|null)\s*$/s.test(claim)) return claim;
  try {
    return JSON.parse(claim);
  } catch {
    return undefined;
  }
}

const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';

/** A name of LDAP, such as `CN=3b,OU=Classes`, has commas of its own. */
const isDistinguished = (text: string) => /^\w+=[^,;]*(,\w+=[^,;]*)*$/.test(text);

/** The names that a single text may be a list of; undefined if it is certainly one name. */
function partsOf(claim: unknown): string[] | undefined {
  const text = unwrapped(claim);
  if (typeof text !== 'string' || isDistinguished(text.trim())) return undefined;
  const parts = text.split(/[,;]/).map((part) => part.trim());
  return parts.length > 1 ? parts : undefined;
}

/** Names of groups: undefined for one text that may be several names, and for booleans. */
function groupsOf(claim: unknown): string[] | undefined {
  const isNamed = [unwrapped(claim)].flat().every((value) => typeof value !== 'boolean');
  return isNamed && partsOf(claim) === undefined ? textsOf(claim) : undefined;
}

/** Undefined if the value is only one of the names that a single text may be a list of. */
function includes(claim: unknown, value: string): boolean | undefined {
  const isNamed = textsOf(claim)?.includes(value);
  return isNamed === false && partsOf(claim)?.includes(value) ? undefined : isNamed;
}
