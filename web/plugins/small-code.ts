import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);
const root = path.join(import.meta.dirname, '../src');

const exported: Readonly<Record<string, string>> = {
  react: Object.keys(require('react'))
    .filter((name) => /^[a-z]\w*$/i.test(name))
    .map((name) => `export const ${name} = /* @__PURE__ */ (() => module.${name})();`)
    .join('\n'),
  // `jsxs` differs in development only.
  'react/jsx-runtime': 'export const { Fragment, jsx } = module; export { jsx as jsxs };',
};
/** What React has itself meanwhile. */
const shim = /^use-sync-external-store\/shim\b/;

const names = '\0node_modules/react/names/';

/** React's functions are called by their own short names instead of as properties of CommonJS modules. */
export const reactModules: Plugin = {
  name: 'react-modules',
  apply: 'build',
  enforce: 'pre',
  resolveId(source, importer) {
    if (source.startsWith(names)) return source;
    if (shim.test(source)) return `${names}shim`;
    const isOriginal = importer === undefined || /^\0|\/node_modules\/react(-dom)?\//.test(importer);
    return exported[source] === undefined || isOriginal ? null : names + source;
  },
  load: (id) => {
    if (!id.startsWith(names)) return null;
    const source = id.slice(names.length);
    if (source === 'shim') return `export { useSyncExternalStore } from '${names}react';`;
    return `import module from '${require.resolve(source)}';\n${exported[source]}\nexport default module;`;
  },
};

const styleImport = /^import (\w+) from ('[^']+\.module\.css');$/gm;
const isIdentifier = (name: string) => {
  try {
    return new Function(`let ${name}`) !== undefined;
  } catch {
    return false;
  }
};

/** The names of classes stand where they are used, instead of in an object. */
export const classNames: Plugin = {
  name: 'class-names',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) =>
    id.startsWith(root) && /\.tsx?$/.test(id)
      ? {
          code: code.replace(styleImport, (whole, name: string, file: string) => {
            const used = [...code.matchAll(new RegExp(`\\b${name}\\b(?!-|/)(?:\\.(\\w+))?`, 'g'))].slice(1);
            return used.every(([, key]) => key !== undefined && isIdentifier(key))
              ? `import * as ${name} from ${file};`
              : whole;
          }),
          map: null,
        }
      : null,
};

const mark = '__keepStyles();';

/** A style sheet would be lost whose names have all been put where they are used; a mark keeps it until files are written. */
export const keptStyles: Plugin = {
  name: 'kept-styles',
  apply: 'build',
  enforce: 'post',
  transform: (code, id) =>
    id.endsWith('.module.css') ? { code: code + mark, map: null, moduleSideEffects: true } : null,
  renderChunk: { order: 'post', handler: (code) => ({ code: code.replaceAll(mark, ''), map: null }) },
};

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const styleSheets = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.module.css'))
  .sort();
const namesIn = styleSheets.map((): string[] => []);

/** A short name; it begins with a capital letter, unlike names outside of modules. */
export function shortName(name: string, file: string): string {
  const sheet = styleSheets.indexOf(path.relative(root, file));
  const names = namesIn[sheet] ?? [];
  if (!names.includes(name)) names.push(name);
  return `${letters[sheet % 26]}${Math.floor(sheet / 26)}${names.indexOf(name).toString(36)}`;
}
