import { z } from 'zod';
import { fileColumns, id } from '../../../http/fields.ts';
import { timestamp } from '../../../http/time-fields.ts';
import { columnFields } from './file/column-names.ts';
import { dateOrders } from './file/written-times.ts';
import { durationUnits } from './file/written-words.ts';

const entry = z.object({
  row: z.int().meta({ description: 'The row number as in a spreadsheet; the header is row 1.' }),
  field: z.string(),
  message: z.string(),
  other_row: z.int().optional().meta({ description: 'The row that it overlaps.' }),
  session_id: id.optional().meta({ description: 'The record that it overlaps.' }),
});

const notice = entry
  .extend({
    action: z.enum(['left_out', 'skipped', 'trimmed', 'moved', 'shortened']),
    started_at: timestamp.optional().meta({ description: 'The new start of a trimmed or moved row.' }),
  })
  .meta({ id: 'ImportNotice' });

const reading = z
  .object({
    field: z.enum(columnFields),
    column: z.string(),
    written: z.string(),
    read: z.string(),
    date_order: z.enum(dateOrders).optional().meta({ description: 'The order by which it was read.' }),
    duration_unit: z.enum(durationUnits).optional().meta({ description: 'The unit with which it was read.' }),
  })
  .meta({ id: 'ImportReading' });

const times = { started_at: timestamp, ended_at: timestamp, hours: z.number() };
const project = {
  project_id: id.nullable().meta({ description: 'Null for a project that is created.' }),
  project_name: z.string(),
};

export const checkedFile = z.object({
  rows: z.int(),
  valid: z.int().meta({ description: 'Rows to import, including trimmed ones.' }),
  duplicates: z.int().meta({ description: 'Rows that already exist or are repeated in the file; left out.' }),
  overlaps: z.int().meta({ description: 'Rows rejected or skipped because they overlap.' }),
  skipped: z.int().meta({ description: 'Rows left out because they overlap.' }),
  trimmed: z.int(),
  moved: z.int().meta({ description: 'Rows that `stack` lets begin later.' }),
  invalid: z.int().meta({ description: 'Rows with an error other than an overlap.' }),
  created_projects: z.int(),
  left_out: z.int().meta({ description: 'Rows of other people, and of projects that `project_map` leaves out.' }),
  shortened: z.int().meta({
    description:
      'Rows whose project name, note or tags are shortened to their maximum length, or with more than five tags.',
  }),
  other_durations: z.int().meta({
    description:
      'Rows whose duration differs from the time between their start and end by a minute or more: start and end count.',
  }),
  columns: z
    .partialRecord(z.enum(columnFields), z.string())
    .meta({ description: 'The headers of the columns in use.' }),
  file_columns: fileColumns,
  unread_columns: z.array(z.string()).meta({
    description:
      'The headers of columns that are not read, and the letters, such as `(C)`, of columns with values but no header.',
  }),
  readings: z.array(reading).meta({
    description: 'How dates, times and durations were read: an example of each way in which a column has them.',
  }),
  date_order: z.enum(dateOrders),
  date_order_guessed: z.boolean().meta({ description: 'Whether the dates of the file can be read in several orders.' }),
  duration_unit: z
    .enum(durationUnits)
    .nullable()
    .meta({ description: 'The unit of durations without a unit, such as 90; null if it is not known.' }),
  duration_unit_asked: z
    .boolean()
    .meta({ description: 'Whether rows have errors because their durations have no unit: send `duration_unit`.' }),
  hours: z.number().meta({ description: 'Total of the valid rows.' }),
  imported: z.int(),
  errors: z.array(entry.meta({ id: 'ImportError' })).meta({ description: 'Why the file is rejected; the first 100.' }),
  notices: z.array(notice).meta({ description: 'Rows that are not imported unchanged; the first 100.' }),
  projects: z
    .array(z.object({ ...project, sessions: z.int(), ...times }).meta({ id: 'ImportedProject' }))
    .meta({ description: 'The valid rows by project, the first 100 by hours.' }),
  sessions: z
    .array(
      z
        .object({ row: z.int(), ...project, ...times, tags: z.array(z.string()).optional() })
        .meta({ id: 'ImportedSession' }),
    )
    .meta({ description: 'For a dry run, the first 100 records that would be imported.' }),
});

const exampleProject = { project_id: 42, project_name: 'Linear algebra' };
export const reportExample: z.input<typeof checkedFile> = {
  rows: 120,
  valid: 117,
  duplicates: 2,
  overlaps: 1,
  skipped: 1,
  trimmed: 1,
  moved: 0,
  invalid: 0,
  created_projects: 0,
  left_out: 0,
  shortened: 0,
  other_durations: 3,
  date_order: 'month_first',
  date_order_guessed: false,
  duration_unit: 'hours',
  duration_unit_asked: false,
  columns: { project: 'Project', start_date: 'Start date', start_time: 'Start time', duration: 'Duration (h)' },
  file_columns: [
    { name: 'Project', example: 'Linear algebra' },
    { name: 'Start date', example: '07/14/26' },
    { name: 'Start time', example: '09:00' },
    { name: 'Duration (h)', example: '1.5' },
    { name: 'Billable', example: 'No' },
  ],
  unread_columns: ['Billable'],
  readings: [
    {
      field: 'start_date',
      column: 'Start date',
      written: '07/14/26',
      read: '14 July 2026, month first',
      date_order: 'month_first',
    },
    { field: 'duration', column: 'Duration (h)', written: '1.5', read: '1 hour 30 minutes', duration_unit: 'hours' },
  ],
  hours: 152.5,
  imported: 117,
  errors: [],
  notices: [
    {
      row: 14,
      action: 'trimmed',
      field: 'started_at',
      message: 'overlaps row 13',
      other_row: 13,
      started_at: '2026-02-01T09:30:00.000Z',
    },
    { row: 31, action: 'skipped', field: 'started_at', message: 'overlaps your record 310', session_id: 310 },
  ],
  projects: [
    {
      ...exampleProject,
      sessions: 117,
      hours: 152.5,
      started_at: '2026-02-01T08:00:00.000Z',
      ended_at: '2026-03-29T18:00:00.000Z',
    },
  ],
  sessions: [],
};
export const importReport = checkedFile
  .extend({ import_id: id.meta({ description: 'The id of the import.' }) })
  .meta({ example: { import_id: 12, ...reportExample } });
