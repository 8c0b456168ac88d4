import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../src/project-root.ts';
import { freePort } from '../support/free-port.ts';
import { ask, signIn, temporaryFolder } from '../support/service-process.ts';

const isInstalled = (program: string) => spawnSync(program, ['--version']).error === undefined;

/** Programs that the document uses: those of systemd and of other users do it for one service and this user; npm does nothing. */
const programs = {
  npm: '',
  tar: 'while [ "$1" != -C ]; do shift; done; rmdir "$2"; ln -s "$PROJECT" "$2"',
  runuser: 'shift 3; exec "$@"',
  systemctl: `for word in "$@"; do last=$word; done
[ "$last" = studytrack ] || exit 0
stop() { [ -e "$HERE/pid" ] && kill "$(cat "$HERE/pid")" && while kill -0 "$(cat "$HERE/pid")" 2>/dev/null; do sleep 0.1; done; rm -f "$HERE/pid"; }
case $1 in stop | restart) stop ;; esac
[ "$1" = stop ] && exit 0
while IFS= read -r line; do export "$line"; done < "$HERE/etc/env"
for pair in $(sed -n "s|%d|$HERE/etc|g; s/^Environment=//p" "$HERE/studytrack.service"); do export "$pair"; done
cd "$HERE/lib"
nohup $(sed -n 's/^ExecStart=//p' "$HERE/studytrack.service") >> "$HERE/log" 2>&1 &
echo $! > "$HERE/pid"`,
  journalctl: 'cat "$HERE/log"',
  'systemd-run': `while [ "$1" != sh ]; do case $1 in
  -E) export "$2"; shift ;;
  -p) case $2 in EnvironmentFile=*) while IFS= read -r line; do export "$line"; done < "\${2#*=}" ;; esac; shift ;;
esac; shift; done
CREDENTIALS_DIRECTORY="$HERE/etc" exec "$@"`,
};

/** What an operator does, in the order of docs/one-server.md, after the installation of the packages. */
test.skipIf(!isInstalled('createuser'))(
  'the commands of one-server.md, in order: from the database to a restore and the way back',
  async () => {
    const folder = await temporaryFolder();
    for (const name of ['etc', 'lib', 'bin', 'opt']) await mkdir(path.join(folder, name));
    await symlink(projectRoot, path.join(folder, 'opt/studytrack'));
    for (const [name, script] of Object.entries(programs)) {
      await writeFile(path.join(folder, 'bin', name), `#!/bin/sh\n${script}\n`);
      await chmod(path.join(folder, 'bin', name), 0o755);
    }
    const server = new URL(inject('adminUrl'));
    const [port, role] = [await freePort(), `one_server_${process.pid}`];
    const environment = {
      PATH: `${folder}/bin:${process.env['PATH']}`,
      HERE: folder,
      PROJECT: projectRoot,
      PGHOST: server.hostname,
      PGPORT: server.port,
      PGUSER: decodeURIComponent(server.username),
      PGPASSWORD: decodeURIComponent(server.password),
    };
    const document = (await readFile(path.join(projectRoot, 'docs/one-server.md'), 'utf8'))
      .replaceAll('/etc/studytrack', `${folder}/etc`)
      .replaceAll('/var/lib/studytrack', `${folder}/lib`)
      .replaceAll('/opt', `${folder}/opt`)
      .replaceAll('/usr/local/bin', `${folder}/bin`)
      .replaceAll(/(?<=ExecStart=|exec )node(?= )/g, process.execPath)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replace(' -g studytrack', '')
      .replace('createuser studytrack', `createuser ${role}`)
      .replace('--owner=studytrack', `--owner=${role}`)
      .replace('template0 studytrack', `template0 ${role}`)
      .replace(
        /^DATABASE_URL='postgres:\/\/\/.*'$/m,
        `DATABASE_URL=postgres://${role}:secret@${server.host}/${role}\nPORT=${port}`,
      );
    const sections = new Map(document.split('\n## ').map((section) => [section.split('\n', 1)[0] ?? '', section]));
    const blocks = (section: string, language = 'sh') =>
      [...(sections.get(section) ?? '').matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
        ([, text = '']) => text,
      );
    const sh = async (commands = '') =>
      (await promisify(execFile)('sh', ['-e', '-c', commands], { env: environment })).stdout;
    onTestFinished(async () => {
      await sh(`systemctl stop studytrack; dropdb --if-exists --force ${role}; dropuser --if-exists ${role}`);
    });

    await sh(blocks('Database')[0]);
    await sh(`psql -qc "ALTER ROLE ${role} PASSWORD 'secret'" postgres`);
    await sh(blocks('Settings')[0]);
    await writeFile(path.join(folder, 'studytrack.service'), blocks('Service', 'ini')[0] ?? '');
    const link = await sh(blocks('Service')[0]);
    const token = /#token=([\w-]+)/.exec(link)?.[1];
    const origin = `http://127.0.0.1:${port}`;
    const account = { username: 'admin', email: 'admin@example.org', password: 'correct horse battery' };
    expect((await ask(origin, 'POST', '/api/setup', { body: { token, ...account } })).status).toBe(200);

    await sh(blocks('Commands')[0]);
    expect((await sh('studytrack doctor')).match(/^PROBLEM.*$/gm)).toBeNull();
    expect(await sh(blocks('Backups')[0])).toMatch(/^backup_last_success_timestamp_seconds \d+/m);

    const [upgrade, wayBack] = blocks('Upgrade, and the way back');
    await sh(upgrade);
    expect(await readdir(path.join(folder, 'opt'))).toEqual(['studytrack', 'studytrack.previous']);
    const admin = await signIn(origin, account.username, account.password);
    const lost = { username: 'lost', email: 'lost@example.org', password: 'learning is fun' };
    expect((await ask(origin, 'POST', '/api/admin/users', { token: admin, body: lost })).status).toBe(201);
    await sh((blocks('Backups')[1] ?? '').replace('backups/FILE', 'backups/before-upgrade-*.tar.gz'));
    await sh(wayBack);
    expect(await readdir(path.join(folder, 'opt'))).toEqual(['studytrack', 'studytrack.failed']);
    await sh((upgrade ?? '').trim().split('\n').at(-1));
    const again = await signIn(origin, account.username, account.password);
    const { body } = await ask(origin, 'GET', '/api/admin/users', { token: again });
    expect(JSON.stringify(body)).not.toContain('lost@example.org');
    expect(await sh(`ls ${folder}/lib/data/restore-points`)).not.toBe('');
  },
);
