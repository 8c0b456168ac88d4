export type Tokens = { token: string; refresh_token: string };

/** Where the tokens are kept: in memory by default, or for instance in localStorage, which all tabs share. */
export type TokenStore = { load(): Tokens | undefined; save(tokens: Tokens | undefined): void };

export function memoryStore(): TokenStore {
  let kept: Tokens | undefined;
  return {
    load: () => kept,
    save: (tokens) => {
      kept = tokens;
    },
  };
}

/**
 * The tokens of whoever is signed in. However many calls find their token refused at the same moment, it is renewed
 * once: a refresh token is good for one use.
 */
export function createSession(store: TokenStore, exchange: (refreshToken: string) => Promise<Tokens | undefined>) {
  let renewing: Promise<string | undefined> | undefined;

  async function renew(used: Tokens): Promise<string | undefined> {
    const next = await exchange(used.refresh_token);
    if (store.load()?.refresh_token === used.refresh_token) store.save(next); // else: signed out or in meanwhile
    return store.load()?.token;
  }

  return {
    token: () => store.load()?.token,
    /** A token to try again with after `refused`; undefined when there is none any more. */
    async renewed(refused: string): Promise<string | undefined> {
      const kept = store.load();
      if (kept === undefined || kept.token !== refused) return kept?.token; // another call or tab was quicker
      renewing ??= renew(kept).finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
  };
}
