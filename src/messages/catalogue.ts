/** Texts by key, each in every language: the compiler rejects a text without its translation. */
export type Catalogue = Readonly<Record<string, { readonly en: string; readonly zh: string }>>;
