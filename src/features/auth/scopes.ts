/** Of personal access tokens. */
export const scopes = ['read', 'sessions:write', 'projects:write', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** Stored scopes, in the order in which they are documented. */
export const toScopes = (stored: readonly string[]): Scope[] => scopes.filter((scope) => stored.includes(scope));
