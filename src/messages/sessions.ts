import type { Catalogue } from './catalogue.ts';

export const sessionMessages = {
  session_created: { en: 'The study record was saved.', zh: '学习记录已保存。' },
  session_updated: { en: 'The study record was updated.', zh: '学习记录已更新。' },
  session_deleted: { en: 'The study record was deleted.', zh: '学习记录已删除。' },
  session_not_found: { en: 'There is no such study record.', zh: '学习记录不存在。' },
  session_not_visible: { en: 'You do not have permission to see this study record.', zh: '您没有权限查看该学习记录。' },
  session_not_yours: {
    en: 'Only its author and administrators may change a study record.',
    zh: '仅记录的作者和管理员可以修改学习记录。',
  },
  session_project_not_visible: {
    en: 'The author of the study record cannot see that project.',
    zh: '该学习记录的作者看不到目标项目。',
  },
  session_too_early: { en: 'must not be before the year 2000', zh: '不能早于 2000 年' },
  session_in_future: { en: 'must not be in the future', zh: '不能是将来的时间' },
  session_too_short: { en: 'must be at least 1 second after the start', zh: '必须至少比开始时间晚 1 秒' },
  session_too_long: { en: 'must be at most 24 hours after the start', zh: '最多比开始时间晚 24 小时' },
  session_after_membership: {
    en: 'must not be after {latest}: you are no longer assigned to this project',
    zh: '不能晚于 {latest}：您已不再被分配到该项目',
  },
  session_end_required: {
    en: 'is required unless duration_seconds is given',
    zh: '为必填项，除非提供 duration_seconds',
  },
  session_contradiction: {
    en: 'contradicts started_at and ended_at; leave one of them out',
    zh: '与 started_at 和 ended_at 不一致，请省略其中之一',
  },
  session_overlap: {
    en: 'It overlaps your record {id} on “{project}”, from {from} to {to}.',
    zh: '与您在“{project}”上的记录 {id}（{from} 至 {to}）时间重叠。',
  },
  session_overlap_running: {
    en: 'It overlaps the timer {id} on “{project}”, which has been running since {from}.',
    zh: '与“{project}”上自 {from} 起运行的计时器 {id} 时间重叠。',
  },
  session_overlap_unknown: { en: 'It overlaps another record.', zh: '与另一条记录时间重叠。' },
  project_not_active: {
    en: 'The project is not active and was not active when this record began.',
    zh: '项目当前未在进行中，且该记录开始时也未在进行中。',
  },
  timer_started: { en: 'The timer was started.', zh: '计时器已启动。' },
  timer_already_running: { en: 'A timer is already running.', zh: '计时器已在运行。' },
  timer_stopped: { en: 'The timer was stopped.', zh: '计时器已停止。' },
  no_timer: { en: 'No timer is running.', zh: '没有正在运行的计时器。' },
  timer_running: {
    en: 'The timer is still running; stop it before you change its end.',
    zh: '计时器仍在运行，请先停止再修改结束时间。',
  },
  timer_too_early: { en: 'must be at most 24 hours ago', zh: '不能早于 24 小时前' },
  timer_not_running: { en: 'can only be changed while the timer runs', zh: '仅可在计时进行中修改' },
  timer_not_yours: { en: 'Only its user may stop a timer.', zh: '只有本人可以停止自己的计时器。' },

  import_checked: { en: 'The file was checked; nothing was saved.', zh: '文件已检查，未保存任何内容。' },
  import_done: { en: '{imported} study records were imported.', zh: '已导入 {imported} 条学习记录。' },
  import_unknown_columns: {
    en: 'must have columns for the project, the start, and the end or the duration; name them in `columns`',
    zh: '必须包含项目、开始时间以及结束时间或时长所在的列，可用 columns 指定',
  },
  import_encoding: { en: 'must be text in UTF-8, UTF-16 or GB18030', zh: '必须为 UTF-8、UTF-16 或 GB18030 编码的文本' },
  import_row_broken: { en: 'cannot be read as CSV', zh: '无法按 CSV 读取' },
  import_column_missing: { en: 'names no column of the file for {field}', zh: '文件中没有为 {field} 指定的列' },
  import_duration: { en: 'must be a duration such as 1:30, 01:30:00 or 1.5', zh: '时长格式如 1:30、01:30:00 或 1.5' },
  import_shortened: { en: 'is shortened to {maximum} characters', zh: '已截短为 {maximum} 个字符' },
  import_other_person: { en: 'is another person', zh: '属于其他人' },
  import_project_missing: { en: 'has no project', zh: '没有项目' },
  import_project_left_out: { en: 'is left out by `project_map`', zh: '已按 project_map 略过' },
  import_too_many_rows: { en: 'must have at most {maximum} rows', zh: '最多包含 {maximum} 行' },
  import_too_many_columns: {
    en: 'must have at most {maximum} columns; row {row} has more',
    zh: '最多包含 {maximum} 列，第 {row} 行超出',
  },
  import_marks: {
    en: 'must not have more than 30 combining marks in a row',
    zh: '不能连续出现超过 30 个组合字符',
  },
  import_running: {
    en: 'You have another import in progress; wait until it is finished.',
    zh: '您的另一项导入正在进行，请等待其完成。',
  },
  import_not_found: { en: 'There is no such import.', zh: '导入任务不存在。' },
  import_not_done: {
    en: 'Only an import that has finished and was not a dry run can be undone.',
    zh: '只能撤销已完成且非试运行的导入。',
  },
  import_undone: { en: '{deleted} study records were deleted again.', zh: '已撤销 {deleted} 条学习记录。' },
  import_interrupted: {
    en: 'The import was interrupted and undone. Send the file again.',
    zh: '导入被中断，未保留任何内容，请重新上传文件。',
  },
  import_date: {
    en: 'must be a date such as 2026-02-01 or 02/01/2026 and a time such as 08:00 or 8:00 AM, or both in ISO 8601',
    zh: '日期格式如 2026-02-01 或 02/01/2026，时间格式如 08:00 或上午8:00，也可使用 ISO 8601',
  },
  import_not_yours: {
    en: 'is another user; you can only import your own records',
    zh: '属于其他用户，只能导入自己的记录',
  },
  import_project_unknown: { en: 'names no project that you can see', zh: '没有您可见的同名项目' },
  import_project_ambiguous: { en: 'names several projects that you can see', zh: '您可见的多个项目同名' },
  import_duplicate: { en: 'already exists', zh: '已存在' },
  import_overlap_row: { en: 'overlaps row {row}', zh: '与第 {row} 行时间重叠' },
  import_overlap_record: { en: 'overlaps your record {id}', zh: '与您的记录 {id} 时间重叠' },
  import_too_many_projects: { en: 'would create more than {maximum} projects', zh: '将创建的项目超过 {maximum} 个' },
  import_overlap: { en: 'overlaps another record or another row', zh: '与其他记录或其他行时间重叠' },
} as const satisfies Catalogue;
