export type Tokens = { token: string; refresh_token: string };

/** Stores tokens: by default in memory, or for example in localStorage, which all tabs share. */
export type TokenStore = { load(): Tokens | undefined; save(tokens: Tokens | undefined): void };

/** The current token, and a way to get a new one. */
export type KeptSignIn = {
  token: () => string | undefined;
  /** Returns a new token in place of `rejected`, or undefined when the sign-in has ended. */
  renew: (rejected: string) => Promise<string | undefined>;
};

export function memoryStore(): TokenStore {
  let stored: Tokens | undefined;
  return {
    load: () => stored,
    save: (tokens) => {
      stored = tokens;
    },
  };
}

/** Other tabs may share the store. */
export function storedSignIn(
  store: TokenStore,
  exchange: (refreshToken: string) => Promise<Tokens | undefined>,
): KeptSignIn {
  return {
    token: () => store.load()?.token,
    async renew() {
      const used = store.load();
      if (used === undefined) return undefined;
      const next = await exchange(used.refresh_token);
      if (store.load()?.refresh_token === used.refresh_token) store.save(next); // otherwise signed out or in meanwhile
      return store.load()?.token;
    },
  };
}

/** Renews the token only once for concurrent calls. */
export function renewingOnce({ token, renew }: KeptSignIn): KeptSignIn {
  let renewing: Promise<string | undefined> | undefined;
  return {
    token,
    async renew(rejected) {
      if (token() !== rejected) return token(); // another call or tab has renewed it
      renewing ??= renew(rejected).finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
  };
}
