// Carries out the Dockerfile without Docker.
import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/project-root.ts';

const execute = promisify(execFile);

/** What `COPY . .` copies. */
export async function copyContext(target: string): Promise<void> {
  const [first, ...rest] = (await readFile(path.join(projectRoot, '.dockerignore'), 'utf8')).trim().split('\n');
  if (first !== '*' || rest.some((line) => !line.startsWith('!')))
    throw new Error('.dockerignore lists other than exceptions');
  for (const line of rest) {
    await cp(path.join(projectRoot, line.slice(1)), path.join(target, line.slice(1)), { recursive: true });
  }
}

export type Stage = { instruction: string; given: string }[];

/** The instructions of each stage, with continued lines joined and comments left out. */
export async function readStages(): Promise<Stage[]> {
  const text = await readFile(path.join(projectRoot, 'Dockerfile'), 'utf8');
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, '')
    .split('\n')
    .filter((line) => line !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, instruction = '', given = ''] = /^(\w+) +(.*)$/.exec(line) ?? [];
    if (instruction === 'FROM') stages.push([]);
    else stages.at(-1)?.push({ instruction, given });
  }
  return stages;
}

type Lock = { packages: Record<string, { version?: string }> };
const readLock = async (file: string): Promise<Lock> =>
  JSON.parse(await readFile(path.join(projectRoot, file), 'utf8'));

/** Whether the packages of this checkout are those that `npm ci` would install. */
async function isInstalled(): Promise<boolean> {
  const [wanted, installed] = [await readLock('package-lock.json'), await readLock('node_modules/.package-lock.json')];
  return Object.entries(installed.packages).every(([name, { version }]) => wanted.packages[name]?.version === version);
}

/** What `npm ci` would install, as links to the files of this checkout, which it installed from the same lock file. */
async function linkPackages(folder: string): Promise<boolean> {
  if (!(await isInstalled())) return false;
  const target = path.join(folder, 'node_modules');
  try {
    await execute('cp', ['-al', path.join(projectRoot, 'node_modules'), target]);
  } catch {
    await rm(target, { recursive: true, force: true }); // another file system, or a `cp` that cannot
    return false;
  }
  // What the build writes in place must not be written to the checkout too.
  for (const cache of ['.cache', '.vite', '.vite-temp'])
    await rm(path.join(target, cache), { recursive: true, force: true });
  // The one file that npm changes in place.
  const list = path.join(target, '.package-lock.json');
  await rm(list);
  await copyFile(path.join(projectRoot, 'node_modules/.package-lock.json'), list);
  return true;
}

/** Carries out a stage's RUN and COPY instructions in a folder in place of /app, as this user in place of `node`. */
export async function runStage(stage: Stage, folder: string, copy: (given: string) => Promise<void>): Promise<void> {
  await mkdir(folder);
  const { uid, gid } = os.userInfo();
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], npm_config_prefer_offline: 'true' };
  for (const { instruction, given } of stage) {
    if (instruction === 'COPY') await copy(given);
    if (instruction === 'RUN' && !(given === 'npm ci' && (await linkPackages(folder)))) {
      const line = given.replace('-o node -g node', `-o ${uid} -g ${gid}`);
      await execute('sh', ['-ec', line], { cwd: folder, env, maxBuffer: 1e8 });
    }
  }
}
