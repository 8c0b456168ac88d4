export type Tokens = { token: string; refresh_token: string };

/** Where the tokens are kept: in memory by default, or for instance in localStorage, which all tabs share. */
export type TokenStore = { load(): Tokens | undefined; save(tokens: Tokens | undefined): void };

/** A sign-in that somebody keeps: the present token, and a way to get another one. */
export type KeptSignIn = {
  token: () => string | undefined;
  /** A token to try again with after `refused`; undefined when the sign-in has ended. */
  renew: (refused: string) => Promise<string | undefined>;
};

export function memoryStore(): TokenStore {
  let kept: Tokens | undefined;
  return {
    load: () => kept,
    save: (tokens) => {
      kept = tokens;
    },
  };
}

/** A sign-in whose tokens are in a store, which other tabs may share. */
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
      if (store.load()?.refresh_token === used.refresh_token) store.save(next); // else: signed out or in meanwhile
      return store.load()?.token;
    },
  };
}

/** However many calls find their token refused at the same moment, it is renewed once. */
export function renewingOnce({ token, renew }: KeptSignIn): KeptSignIn {
  let renewing: Promise<string | undefined> | undefined;
  return {
    token,
    async renew(refused) {
      if (token() !== refused) return token(); // another call or tab was quicker
      renewing ??= renew(refused).finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
  };
}
