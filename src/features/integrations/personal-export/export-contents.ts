import type { Reader } from '../../../actor.ts';
import type { TakeRows } from '../../../db/row-stream.ts';
import { csvLine, csvStart } from '../../../lib/export/exporter.ts';
import type { Storage } from '../../../lib/storage/storage.ts';
import { version } from '../../../project-root.ts';
import type { Locale } from '../../../texts/index.ts';
import type { Db } from '../../../transactions/transactions.ts';
import * as personalTokens from '../../accounts/personal-tokens/personal-token-repository.ts';
import { toTokenResponse } from '../../accounts/personal-tokens/personal-token-schemas.ts';
import * as signInRepository from '../../accounts/sign-ins/sign-in-repository.ts';
import { toAccountResponse } from '../../accounts/users/account-responses.ts';
import * as users from '../../accounts/users/user-repository.ts';
import { describeAchievement } from '../../study/achievements/achievement-catalogue.ts';
import * as achievementRepository from '../../study/achievements/achievement-repository.ts';
import { imageName } from '../../study/images/image-storage.ts';
import { toProjectResponse, trashedProject } from '../../study/projects/project-responses.ts';
import { csvExport } from '../../study/study-sessions/list/session-export.ts';
import { toSessionResponse } from '../../study/study-sessions/session-responses.ts';
import type { SessionFilter } from '../../study/study-sessions/session-schemas.ts';
import type { SessionRow } from '../../study/study-sessions/session-sql.ts';
import type { ArchiveWriter, Write } from './archive-writer.ts';
import type { ExportedAssignment, ExportedProject, ExportReadModel } from './personal-export-repository.ts';

/** Of all images together; the manifest lists the others, which can be downloaded from their addresses. */
const maxImageBytes = 512 * 1024 * 1024;

/** The same as `assigned_user_ids`, and what only a client needs. */
const leftOutColumns: ReadonlySet<string> = new Set(['assigned_user_id', 'etag']);
const projectColumns = Object.keys(trashedProject.shape).filter((name) => !leftOutColumns.has(name));
const assignmentColumns = ['project_id', 'project_name', 'assigned_at'];

/** The finished records visible to a reader. */
type RecordSource = {
  export: (reader: Reader, filter: SessionFilter, take: TakeRows<SessionRow>) => Promise<void>;
};

export type ExportSources = {
  store: Db;
  readModel: ExportReadModel;
  sessions: RecordSource;
  images: Storage;
  locale: Locale;
};

type Entry = Readonly<Record<string, unknown>>;

/** Writes rows as a JSON list and as CSV, from a single read. */
function tableWriter(json: Write, csv: Write, columns: readonly string[]) {
  let separator = '[\n';
  const cellOf = (value: unknown) =>
    typeof value === 'number' ? value : value === null || value === undefined ? null : String(value);
  return {
    begin: () => csv(csvStart + csvLine(columns)),
    async write(entries: readonly Entry[]): Promise<void> {
      if (entries.length === 0) return;
      await json(separator + entries.map((entry) => JSON.stringify(entry)).join(',\n'));
      separator = ',\n';
      await csv(entries.map((entry) => csvLine(columns.map((column) => cellOf(entry[column])))).join(''));
    },
    end: () => json(separator === '[\n' ? '[]\n' : '\n]\n'),
  };
}

/** All data of a user as files of an archive. Records and projects are streamed. */
export function createExportContents({ store, readModel, sessions, images, locale }: ExportSources) {
  async function addTable<Row>(
    archive: ArchiveWriter,
    name: string,
    columns: readonly string[],
    read: (take: TakeRows<Row>) => Promise<void>,
    toEntry: (row: Row) => Entry,
  ): Promise<void> {
    await archive.addWritten(`${name}.json`, (json) =>
      archive.addWritten(`${name}.csv`, async (csv) => {
        const table = tableWriter(json, csv, columns);
        await table.begin();
        await read((rows) => table.write(rows.map(toEntry)));
        await table.end();
      }),
    );
  }

  /** The CSV file is the same as the export of records, which can be imported again. */
  async function addRecords(archive: ArchiveWriter, userId: number): Promise<void> {
    const filter = { user_id: userId, username: '', search: '', tag: '', order: 'asc' } as const;
    await archive.addWritten('records.json', (json) =>
      archive.addWritten('records.csv', async (csv) => {
        const table = tableWriter(json, async () => undefined, []);
        const read = (take: TakeRows<SessionRow>) =>
          sessions.export({ id: userId, role: 'user' }, filter, async (rows) => {
            await take(rows);
            await table.write(rows.map(toSessionResponse));
          });
        await csvExport(read)(csv);
        await table.end();
      }),
    );
  }

  async function addImages(archive: ArchiveWriter, projects: readonly ImageOf[]): Promise<string[]> {
    const leftOut: string[] = [];
    let total = 0;
    for (const { id, image } of projects) {
      const name = imageName(image);
      const file = await images.open(name);
      if (file !== undefined && total + file.size <= maxImageBytes) {
        total += file.size;
        await archive.add({ name: `images/project-${id}${extensionOf(name)}`, size: file.size, content: file.stream });
        continue;
      }
      file?.stream.destroy();
      leftOut.push(image);
    }
    return leftOut;
  }

  return async function write(archive: ArchiveWriter, userId: number, now: Date): Promise<void> {
    const addJson = (name: string, content: unknown) =>
      archive.addText(`${name}.json`, `${JSON.stringify(content, null, 2)}\n`);
    const user = await users.find(store, userId);
    if (user === undefined) throw new Error('the account of a personal export no longer exists');
    await addJson('account', toAccountResponse(user));
    const signIns = await signInRepository.listActive(store, userId, now);
    await addJson('sign-ins', signIns);
    await addJson('tokens', (await personalTokens.listActive(store, userId, now)).map(toTokenResponse));
    await addJson('groups', await readModel.listGroups(userId));
    const achievements = await achievementRepository.list(store, userId);
    const earned = achievements.filter(({ earned_at }) => earned_at !== null);
    await addJson(
      'awards',
      earned.map(({ id, earned_at }) => ({ ...describeAchievement(id, user.locale ?? locale), earned_at })),
    );

    const withImage: ImageOf[] = [];
    const readProjects = (take: TakeRows<ExportedProject>) =>
      readModel.readProjects(userId, async (rows) => {
        for (const { id, image, user_id } of rows)
          if (image !== null && user_id === userId) withImage.push({ id, image });
        await take(rows);
      });
    await addTable(archive, 'projects', projectColumns, readProjects, (row) => ({
      ...toProjectResponse(row),
      deleted_at: row.deleted_at,
    }));
    const readAssignments = (take: TakeRows<ExportedAssignment>) => readModel.readAssignments(userId, take);
    await addTable(archive, 'assignments', assignmentColumns, readAssignments, (row) => row);
    await addRecords(archive, userId);
    const images_left_out = await addImages(archive, withImage);
    await addJson('manifest', { format: 1, version, created_at: now.toISOString(), images_left_out });
  };
}

type ImageOf = { id: number; image: string };
const extensionOf = (name: string) => name.slice(name.lastIndexOf('.'));
