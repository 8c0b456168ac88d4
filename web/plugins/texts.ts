import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

const root = path.join(import.meta.dirname, '../src');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const literal = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/.source;
const english = `(?:${literal}|\\{(?:\\s*\\w+:\\s*(?:${literal}),?)+\\s*\\})`;
/** A Chinese text beside its English one or the plural forms of that; the names of the languages have a third beside them. */
const chineseText = new RegExp(`(\\ben:\\s*${english},\\s*zh:\\s*)(${literal})(?!,\\s*'zh-Hant')`, 'g');
const entry = `((?:[a-zA-Z_]\\w*|'[a-zA-Z_][^'\\\\]*'):\\s*)\\{\\s*en:\\s*(${english}),\\s*zh:\\s*(${literal}),?\\s*\\}(,?\\s*)`;
const entries = new RegExp(entry, 'g');
const catalogues = new RegExp(`(?<== )\\{\\s*(?:${entry})+\\}(?=(?: as const)? satisfies Catalogue)`, 'g');

const textOf = (text = '') => text.slice(1, -1).replace(/\\(.)/g, '$1');

/** The Chinese texts by number: those of the catalogues in their order, then the others. */
const list: string[] = [];
/** The number of a catalogue's first text. */
const firstNumbers = new Map<string, number>();
for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort())
  if (/\.tsx?$/.test(file))
    for (const [texts] of read(file).matchAll(catalogues)) {
      firstNumbers.set(texts, list.length);
      list.push(...[...texts.matchAll(entries)].map((found) => textOf(found[3])));
    }
const traditional: Readonly<Record<string, string>> = JSON.parse(read('languages/zh-Hant.json'));
const inCatalogues = new Set(list);
list.push(...Object.keys(traditional).filter((text) => !inCatalogues.has(text)));
const numbers = new Map(list.map((text, number) => [text, number]));

const files = Object.entries({ zh: list, 'zh-Hant': list.map((text) => traditional[text] ?? text) }).map(
  ([locale, texts]) => {
    const source = JSON.stringify(texts);
    const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
    return { locale, source, fileName: `assets/${locale}-${hash}.json` };
  },
);

/** Makes a catalogue of English texts that are in the order of the Chinese ones, which begin at a number. */
const helper = '\0numbered';
const numbered = `export const numbered = (first, texts) =>
  Object.fromEntries(Object.entries(texts).map(([key, en], index) => [key, { en, zh: first + index }]));`;

/** Chinese texts in the sources become numbers of texts in files, which English pages do not load; a catalogue has only the
 * first number. */
export const languages: Plugin = {
  name: 'languages',
  enforce: 'pre',
  config: () => ({
    define: {
      'import.meta.env.LANGUAGE_FILES': JSON.stringify(
        Object.fromEntries(files.map(({ locale, fileName }) => [locale, `/${fileName}`])),
      ),
    },
  }),
  resolveId: (source) => (source === helper ? source : null),
  load: (id) => (id === helper ? numbered : null),
  transform: (source, id) => {
    if (!id.startsWith(root) || !/\.tsx?$/.test(id)) return null;
    const code = source
      .replace(catalogues, (texts) => {
        const first = firstNumbers.get(texts);
        if (first === undefined) return texts; // changed since the start of the server for development
        return `/* @__PURE__ */ numbered(${first}, ${texts.replace(entries, '$1$2$4')})`;
      })
      .replace(chineseText, (whole, before, text) => {
        const number = numbers.get(textOf(text));
        return number === undefined ? whole : `${before}${number}`;
      });
    const imported = code.includes('*/ numbered(') ? `import { numbered } from '${helper}';` : '';
    return { code: imported + code, map: null };
  },
  configureServer: ({ middlewares }) => {
    for (const { fileName, source } of files)
      middlewares.use(`/${fileName}`, (_req, res) => res.setHeader('Content-Type', 'application/json').end(source));
  },
  generateBundle() {
    for (const { fileName, source } of files) this.emitFile({ type: 'asset', fileName, source });
  },
};
