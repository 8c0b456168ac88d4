import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { firstSegments } from './src/routes.ts';

// biome-ignore lint/style/noProcessEnv: the service's setting, so that both are started with the same PORT
const api = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`;
const servicePaths = ['/api', '/uploads', '/achievements', '/docs', '/openapi.json'];

/** The lines of an icon never change their order, so they need no keys; random ones cannot be compressed. */
const iconsWithoutKeys: Plugin = {
  name: 'icons-without-keys',
  apply: 'build',
  transform: (code, id) =>
    /\/lucide-react\/dist\/esm\/icons\//.test(id) ? { code: code.replace(/,?\s*key: "\w+"/g, ''), map: null } : null,
};

/** The Chinese texts in use, simplified and traditional, and their files: English pages do not load them. */
const texts: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'src/languages/zh-Hant.json'), 'utf8'),
);
const numbers = new Map(Object.keys(texts).map((text, number) => [text, number]));
const languageFiles = Object.entries({ zh: Object.keys(texts), 'zh-Hant': Object.values(texts) }).map(
  ([locale, list]) => {
    const source = JSON.stringify(list);
    const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
    return { locale, source, fileName: `assets/${locale}-${hash}.json` };
  },
);

/** A Chinese text beside its English one or the plural forms of that; the names of the languages have a third beside them. */
const literal = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/.source;
const chineseText = new RegExp(
  `(\\ben:\\s*(?:${literal}|\\{(?:\\s*\\w+:\\s*(?:${literal}),?)+\\s*\\}),\\s*zh:\\s*)(${literal})(?!,\\s*'zh-Hant')`,
  'g',
);

/** Chinese texts in the sources become numbers of texts in the files. */
const languages: Plugin = {
  name: 'languages',
  enforce: 'pre',
  config: () => ({
    define: {
      'import.meta.env.LANGUAGE_FILES': JSON.stringify(
        Object.fromEntries(languageFiles.map(({ locale, fileName }) => [locale, `/${fileName}`])),
      ),
    },
  }),
  transform: (code, id) =>
    id.startsWith(path.join(import.meta.dirname, 'src')) && /\.tsx?$/.test(id)
      ? {
          code: code.replace(chineseText, (whole, before, text) => {
            const number = numbers.get(text.slice(1, -1).replace(/\\(.)/g, '$1'));
            return number === undefined ? whole : `${before}${number}`;
          }),
          map: null,
        }
      : null,
  configureServer: ({ middlewares }) => {
    for (const { fileName, source } of languageFiles)
      middlewares.use(`/${fileName}`, (_req, res) => res.setHeader('Content-Type', 'application/json').end(source));
  },
  generateBundle() {
    for (const { fileName, source } of languageFiles) this.emitFile({ type: 'asset', fileName, source });
  },
};

/** The service worker is a file at the root that contains the names of all others. */
const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  generateBundle: {
    order: 'post', // after empty chunks were removed
    handler(_options, bundle) {
      const worker = bundle['sw.js'];
      if (worker?.type !== 'chunk') return;
      const files = Object.keys(bundle).flatMap((name) => (name.startsWith('assets/') ? `/${name}` : []));
      worker.code = worker.code
        .replace('__FILES__', JSON.stringify(files.toSorted()))
        .replace('__PAGES__', JSON.stringify(firstSegments));
    },
  },
};

/** Three characters tell the files apart; the default names have twice as many that cannot be compressed. */
const scopedName = (name: string, file: string): string => {
  const hash = createHash('sha256')
    .update(path.relative(import.meta.dirname, file))
    .digest('base64url');
  return `${name}-${hash.slice(0, 3)}`;
};

// biome-ignore lint/style/noDefaultExport: Vite reads the default export
export default defineConfig({
  root: import.meta.dirname,
  plugins: [languages, iconsWithoutKeys, serviceWorker],
  server: { proxy: Object.fromEntries(servicePaths.map((prefix) => [prefix, api])) },
  css: { modules: { generateScopedName: scopedName } },
  build: {
    modulePreload: { polyfill: false },
    cssCodeSplit: false, // one small file, so that the order of its layers does not depend on load order
    rolldownOptions: {
      checks: { moduleLevelDirective: false }, // libraries mark files for servers that render components
      input: ['index.html', 'index.zh.html', 'index.zh-Hant.html', 'src/sw.ts'].map((name) =>
        path.join(import.meta.dirname, name),
      ),
      output: {
        // One file for what signed-out users need and one for what every user needs, instead of a file per shared part.
        codeSplitting: {
          groups: [
            // Runs while `main` is still being loaded, so it must not import anything of that.
            {
              name: 'early',
              test: /web\/src\/(early|lib\/(api|language-files|lock|outage|session|settings))\.ts$|client\/src\/|node_modules\/react\/|vite\/preload-helper/,
              priority: 4,
            },
            { name: 'main', test: /web\/src\/(main\.tsx|ui\/page\.tsx|lib\/(draft|zone)\.ts)$/, priority: 3 },
            { name: 'frame', test: /web\/src\/frame\/frame\.tsx$/, priority: 1 },
            // The settings load all of these at once.
            {
              name: 'account',
              test: /features\/account\/(?!privacy)|auth\/password-form|help\/keys-switch/,
              includeDependenciesRecursively: false,
            },
            {
              name: 'records',
              test: /features\/study-sessions\//,
              includeDependenciesRecursively: false,
            },
            { name: 'focus', test: /timer\/(focus|small-window\.)/, includeDependenciesRecursively: false },
            {
              name: 'awards',
              test: /achievements\/(award-moment|earned-today|messages)/,
              includeDependenciesRecursively: false,
            },
            { name: 'links', test: /features\/auth\/(accept|forgot-password|confirm-email)-page/ },
            {
              name: 'goals',
              test: /projects\/(glyph|own-target|state-chip|track-messages)|statistics\/(days|messages|statistics-queries)|features\/plan\/|achievements\/awards-queries|ui\/(chip|heatmap|link-button|loading|steps)\.|lib\/(study-days|use-width)\./,
            },
            {
              name: 'people',
              test: /web\/src\/features\/(users|groups|progress|inbox|audit|admin-home|webhooks)\//,
              minShareCount: 2,
              includeDependenciesRecursively: false, // or the pages of students would need it
            },
            {
              name: 'parts',
              test: /web\/src\/(ui\/(axes|conflict-dialog|data-table|date-messages|day-field|draft-notice|drop-file|filter-chip|floating-bar|hours-axis|month|pager|people-table|quantity|rows|scrolling-table|search-field|sort-column|sparkline|stats|tabs|text-width|tick|time-field|typed-field|view-switch)\.|lib\/(collator|merge|numbers|use-meta|use-media|use-url-filter|weekdays|written-dates)\.|features\/(projects\/(burn-up|color-messages|messages|projects\.module|target-meter)|statistics\/(period|statistics\.module)|tags\/tag-list|achievements\/(awards\.module|medal)|assignments\/(board-queries|group-filter))\.)/,
              includeDependenciesRecursively: false,
            },
            // Students and classes to pick from.
            {
              name: 'pick',
              test: /ui\/pick-(list|people|row)\.|assignments\/|projects\/students-field\./,
              includeDependenciesRecursively: false,
            },
            { name: 'icons', test: /lucide-react\/dist\/esm\/icons\//, minShareCount: 2, priority: 2 }, // too small for separate files
          ],
        },
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
});
