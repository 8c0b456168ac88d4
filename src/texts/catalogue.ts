/**
 * Texts by key: the compiler rejects a text without its translation. Traditional Chinese is converted from simplified Chinese, into a file.
 */
export type Catalogue = Readonly<Record<string, { readonly en: string; readonly zh: string }>>;
