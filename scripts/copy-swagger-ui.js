// Copies the files of the API reference to dist/swagger-ui: node scripts/copy-swagger-ui.js
// Its package is needed only for the build; it depends on one that reports installations.
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { root } from './inputs.js';

const from = path.join(root, 'node_modules/swagger-ui-dist');
const to = path.join(root, 'dist/swagger-ui');
const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'];

await mkdir(to, { recursive: true });
await Promise.all(files.map((file) => copyFile(path.join(from, file), path.join(to, file))));
