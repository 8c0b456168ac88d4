import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { firstSegments } from './src/routes.ts';

const api = 'http://127.0.0.1:3000';
const ofTheService = ['/api', '/uploads', '/achievements', '/docs', '/openapi.json'];

/** The widget library brings its texts in some thirty languages; the application has two. */
const ofOtherLanguages = /\/react-[\w-]+\/dist\/.*\/intl\/.*\/(?!en-US|zh-CN)[a-z]{2}-[A-Z]{2}\.mjs$/;

const twoLanguages: Plugin = {
  name: 'two-languages',
  load: (id) => (ofOtherLanguages.test(id) ? 'export default {}' : null),
};

/** The service worker is a file of its own at the root, and knows the names of all others. */
const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  generateBundle: {
    order: 'post', // some chunks turn out to be empty
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

// biome-ignore lint/style/noDefaultExport: Vite reads the default export
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), twoLanguages, serviceWorker],
  server: { proxy: Object.fromEntries(ofTheService.map((prefix) => [prefix, api])) },
  build: {
    modulePreload: { polyfill: false },
    cssCodeSplit: false, // one small file: the order of its layers does not depend on what is loaded first
    rolldownOptions: {
      input: ['index.html', 'index.zh.html', 'src/sw.ts'].map((name) => path.join(import.meta.dirname, name)),
      output: {
        // What strangers need, and what every user needs: one file each, instead of one for each part that others need, too.
        codeSplitting: {
          groups: [
            { name: 'main', test: /web\/src\/(main\.tsx|ui\/page\.tsx|lib\/draft\.ts)$/, priority: 2 },
            { name: 'frame', test: /web\/src\/frame\/frame\.tsx$/, priority: 1 },
            { name: 'links', test: /features\/auth\/(accept|forgot-password|confirm-email)-page/ },
            { name: 'icons', test: /lucide-react\/dist\/esm\/icons\//, minShareCount: 2 }, // each too small for a file
          ],
        },
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
});
