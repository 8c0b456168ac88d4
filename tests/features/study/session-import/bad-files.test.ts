import { afterAll, beforeAll, expect, test } from 'vitest';
import { onePixel } from '../../../support/one-pixel.ts';
import { createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-11-20T12:00:00.000Z'));
let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({ clock, settings: { RATE_LIMIT_PER_MINUTE: '0' } });
  user = await app.createUser();
  await createProject(app, user, 'Algebra');
});
afterAll(() => app.stop());

const head = 'Project,Start date,Start time,Duration';
const good = 'Algebra,2026-07-04,09:00,1:00';
const table = (...rows: string[]) => [head, ...rows].join('\n');

test.each<[string, string | Buffer, string, string, string, Record<string, string>?]>([
  [
    'a workbook',
    Buffer.from('504b030414000600', 'hex'),
    'file',
    'is a workbook or another document, not a table as text; save it as CSV and import that file',
    '是工作簿或其他文档，而不是文本表格，请另存为 CSV 后再导入',
  ],
  [
    'a picture',
    await onePixel(),
    'file',
    'is a workbook or another document, not a table as text; save it as CSV and import that file',
    '是工作簿或其他文档，而不是文本表格，请另存为 CSV 后再导入',
  ],
  [
    'bytes without meaning',
    Buffer.from('81ffffff0a81ffffff', 'hex'),
    'file',
    'is no text in UTF-8, UTF-16, GB18030, Big5, Shift_JIS or windows-1252; save the table as CSV again',
    '不是 UTF-8、UTF-16、GB18030、Big5、Shift_JIS 或 windows-1252 编码的文本，请将表格重新另存为 CSV',
  ],
  ['only line breaks', '\n\n', 'file', 'is empty', '是空文件'],
  [
    'other columns',
    'Name,Price\nTea,2\n',
    'file',
    'must have columns for the project, the start, and the end or the duration, but the file has “Name, Price”; say which ones they are',
    '需要项目、开始时间以及结束时间或时长所在的列，而文件中的列为“Name, Price”，请指定这些列',
  ],
  [
    'a column that does not exist',
    table(good),
    'columns',
    'names “Kurs” for project, but the file has the columns “Project, Start date, Start time, Duration”',
    '将 project 指定为“Kurs”，而文件中的列为“Project, Start date, Start time, Duration”',
    { columns: '{"project":"Kurs"}' },
  ],
  [
    'JSON that is no list',
    '{"error":"not found"}',
    'file',
    'is no list of records in JSON, as this service exports it',
    '不是本服务导出的 JSON 记录列表',
  ],
  [
    'a date that does not exist',
    table(good, 'Algebra,31/02/2026,09:00,1:00'),
    'rows[3].started_at',
    'is “31/02/2026 09:00”, but must be a date and time such as 2026-02-01 08:00, 02/01/2026 8:00 AM or 2026-02-01T08:00:00Z',
    '为“31/02/2026 09:00”，日期和时间格式应如 2026-02-01 08:00、2026/2/1 上午8:00 或 2026-02-01T08:00:00Z',
  ],
  [
    'a duration in words',
    table(good, 'Algebra,2026-07-05,09:00,an hour'),
    'rows[3].duration',
    'is “an hour”, but must be a duration such as 1:30, 01:30:00 or 1.5',
    '为“an hour”，时长格式应如 1:30、01:30:00 或 1.5',
  ],
  [
    'a project of nobody',
    table(good, 'Geometry,2026-07-05,09:00,1:00'),
    'rows[3].project',
    'is “Geometry”, and you have no such project; choose another one, or have missing projects created',
    '为“Geometry”，您没有同名项目，请改选其他项目，或选择自动创建',
  ],
  [
    'no project',
    table(good, ',2026-07-05,09:00,1:00'),
    'rows[3].project',
    'is empty; choose a project for such rows',
    '为空，请为这些行选择一个项目',
  ],
  [
    'a row that is too long',
    table(good, `Algebra,${'x'.repeat(41_000)}`),
    'rows[3].file',
    'has a row of more than 40,000 characters, which cannot be read',
    '存在超过 40,000 个字符的行，无法读取',
  ],
  [
    'records of another account',
    'project_name,user_id,started_at,ended_at\nAlgebra,999999,2026-07-05T09:00:00Z,2026-07-05T10:00:00Z\n',
    'rows[2].user_id',
    'is another user (999999); you can only import your own records, or confirm that they were yours',
    '属于其他用户（999999），只能导入自己的记录，或确认其为您原账户的记录',
  ],
])(
  '%s: the error says what was found and what is accepted, and nothing is saved',
  async (_name, file, field, en, zh, fields = {}) => {
    for (const [locale, message] of [
      ['en', en],
      ['zh', zh],
    ] as const) {
      const request = app
        .as(user)
        .post('/api/sessions/import')
        .set('Accept-Language', locale)
        .field('dry_run', 'false');
      for (const [name, value] of Object.entries(fields)) request.field(name, value);
      const { body } = await request.attach('file', Buffer.from(file), 'records.csv').expect(400);
      expect(body.error.details).toMatchObject([{ field, message }]);
    }
    const records = await app.as(user).get('/api/sessions').expect(200);
    expect(records.body.data.sessions).toEqual([]);
  },
);
