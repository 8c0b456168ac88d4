import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../src/project-root.ts';

const execute = promisify(execFile);
const program = (file: string) => path.join(projectRoot, 'node_modules', file);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-clients-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The errors of the strict compiler; empty if there are none. */
async function compile(cwd: string, files: readonly string[], module = ['nodenext']): Promise<string> {
  const target = ['--ignoreConfig', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable', '--module', ...module];
  const args = [program('typescript/bin/tsc'), '--strict', '--skipLibCheck', ...target, ...files];
  return execute(process.execPath, args, { cwd }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout || 'the compiler failed',
  );
}

test('the client can be packed, installed in another project, compiled and run', async () => {
  const project = path.join(folder, 'another project');
  await mkdir(project);
  const npm = (cwd: string, ...args: string[]) => execute('npm', [...args, '--offline', '--no-audit'], { cwd });
  const packed = await npm(path.join(projectRoot, 'client'), 'pack', '--json', '--pack-destination', project);
  const [{ filename, files }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }];
  expect(files.map((file) => file.path)).toEqual(
    expect.arrayContaining(['README.md', 'dist/index.js', 'dist/api.d.ts']),
  );
  await writeFile(path.join(project, 'package.json'), JSON.stringify({ name: 'another', type: 'module' }));
  await npm(project, 'install', path.join(project, filename));
  await writeFile(
    path.join(project, 'main.ts'),
    `import { createClient, isApiError, verifyWebhook } from '@studytrack/client';
     const client = createClient({ baseUrl: 'http://127.0.0.1:9' });
     export const names = async (): Promise<string[]> => (await client.get('/api/projects')).data.projects.map(({ name }) => name);
     // @ts-expect-error there is no such path
     export const wrong = () => client.get('/api/project');
     export async function receive(body: string, headers: Headers): Promise<number> {
       const event = await verifyWebhook(body, headers, 'whsec_AAAA');
       return event.type === 'goal.reached' ? event.data.current_hours : 0;
     }
     console.log(isApiError(new Error('no')), typeof client.get);`,
  );
  expect(await compile(project, ['main.ts'])).toBe('');
  expect((await execute(process.execPath, ['main.js'], { cwd: project })).stdout).toBe('false function\n');
});

test('six generators make clients that compile from the API document', async () => {
  const project = await mkdtemp(path.join(projectRoot, 'tools/clients-')); // where their runtime packages are found
  try {
    const document = path.join(projectRoot, 'docs/openapi.json');
    const run = (file: string, ...args: string[]) =>
      execute(process.execPath, [file, ...args], { cwd: project, maxBuffer: 50_000_000 });
    const tool = path.join(projectRoot, 'tools/run.js');
    await run(tool, 'oazapfts', document, 'oazapfts.ts');
    await run(tool, 'typed-openapi', document, '-o', 'typed-openapi.ts');
    await run(tool, 'swagger-typescript-api', 'generate', '-p', document, '-o', '.', '-n', 'swagger.ts');
    await run(program('openapi-typescript/bin/cli.js'), document, '-o', 'openapi-typescript.ts');
    await run(tool, 'orval', '--input', document, '--output', 'orval.ts', '--client', 'fetch');
    await run(tool, 'openapi-ts', '-i', document, '-o', 'hey-api', '-c', '@hey-api/client-fetch');
    const files = ['openapi-typescript.ts', 'orval.ts', 'oazapfts.ts', 'typed-openapi.ts', 'swagger.ts'];
    expect(await compile(project, files)).toBe('');
    // Its files import each other without extensions, as bundlers read them.
    expect(await compile(project, ['hey-api/index.ts'], ['esnext', '--moduleResolution', 'bundler'])).toBe('');
  } finally {
    await rm(project, { recursive: true, force: true });
  }
});
