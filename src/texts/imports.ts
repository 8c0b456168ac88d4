import type { Catalogue } from './catalogue.ts';

export const importMessages = {
  import_checked: { en: 'The file was checked; nothing was saved.', zh: '文件已检查，未保存任何内容。' },
  import_done: { en: '{imported} study records were imported.', zh: '已导入 {imported} 条学习记录。' },
  import_unknown_columns: {
    en: 'must have columns for the project, the start, and the end or the duration, but the file has “{found}”; say which ones they are',
    zh: '需要项目、开始时间以及结束时间或时长所在的列，而文件中的列为“{found}”，请指定这些列',
  },
  import_encoding: {
    en: 'is no text in UTF-8, UTF-16, GB18030, Big5, Shift_JIS or windows-1252; save the table as CSV again',
    zh: '不是 UTF-8、UTF-16、GB18030、Big5、Shift_JIS 或 windows-1252 编码的文本，请将表格重新另存为 CSV',
  },
  import_document: {
    en: 'is a workbook or another document, not a table as text; save it as CSV and import that file',
    zh: '是工作簿或其他文档，而不是文本表格，请另存为 CSV 后再导入',
  },
  import_empty: { en: 'is empty', zh: '是空文件' },
  import_json: {
    en: 'is no list of records in JSON, as this service exports it',
    zh: '不是本服务导出的 JSON 记录列表',
  },
  import_other_table: {
    en: 'belongs to another table of the file, or is a repeated header',
    zh: '属于文件中的其他表格，或为重复的表头',
  },
  import_row_too_long: {
    en: 'has a row of more than 40,000 characters, which cannot be read',
    zh: '存在超过 40,000 个字符的行，无法读取',
  },
  import_more_cells: {
    en: 'has more cells than the header, with “{found}”; a text or number with a separator needs quotes',
    zh: '的单元格多于表头，多出“{found}”；含分隔符的文本或数字须加引号',
  },
  import_spreadsheet_error: {
    en: 'is “{found}”, which a spreadsheet shows in place of a value; correct the cell and export the table again',
    zh: '为“{found}”，是电子表格的错误值，请修正该单元格后重新导出',
  },
  import_column_missing: {
    en: 'names “{name}” for {field}, but the file has the columns “{found}”',
    zh: '将 {field} 指定为“{name}”，而文件中的列为“{found}”',
  },
  import_duration: {
    en: 'is “{found}”, but must be a duration such as 1:30, 01:30:00 or 1.5',
    zh: '为“{found}”，时长格式应如 1:30、01:30:00 或 1.5',
  },
  import_duration_unit: {
    en: 'is “{found}” without a unit; choose hours, minutes, seconds or milliseconds with duration_unit',
    zh: '为“{found}”，没有单位，请用 duration_unit 选择小时、分钟、秒或毫秒',
  },
  import_several_durations: {
    en: 'must choose one of several columns for the duration: “{found}”',
    zh: '有多个时长列：“{found}”，请选择其中一列',
  },
  import_contradiction: {
    en: 'is “{found}” and “{other}”, which contradict each other',
    zh: '为“{found}”和“{other}”，两者互相矛盾',
  },
  import_half_unclear: {
    en: 'is “{found}” after “{other}”, which may be in the afternoon or at night; write 13:00 or 1:00 PM, or 01:00 at night',
    zh: '为“{found}”，而开始为“{other}”，无法确定是下午还是夜里；下午请写 13:00 或 下午1:00，夜里请写 01:00',
  },
  import_day_first: { en: '{value}, day first', zh: '{value}（日在前）' },
  import_month_first: { en: '{value}, month first', zh: '{value}（月在前）' },
  import_year_first: { en: '{value}, year first', zh: '{value}（年在前）' },
  import_shortened: { en: 'is shortened to {maximum} characters', zh: '已截短为 {maximum} 个字符' },
  import_other_person: { en: 'is another person: “{found}”', zh: '属于其他人：“{found}”' },
  import_project_missing: { en: 'is empty; choose a project for such rows', zh: '为空，请为这些行选择一个项目' },
  import_project_left_out: { en: 'is left out, as chosen', zh: '按您的选择不导入' },
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
    en: 'is “{found}”, but must be a date and time such as 2026-02-01 08:00, 02/01/2026 8:00 AM or 2026-02-01T08:00:00Z',
    zh: '为“{found}”，日期和时间格式应如 2026-02-01 08:00、2026/2/1 上午8:00 或 2026-02-01T08:00:00Z',
  },
  import_not_yours: {
    en: 'is another user ({found}); you can only import your own records, or confirm that they were yours',
    zh: '属于其他用户（{found}），只能导入自己的记录，或确认其为您原账户的记录',
  },
  import_project_unknown: {
    en: 'is “{found}”, and you have no such project; choose another one, or have missing projects created',
    zh: '为“{found}”，您没有同名项目，请改选其他项目，或选择自动创建',
  },
  import_project_ambiguous: {
    en: 'is “{found}”, and you have several such projects; choose one of them',
    zh: '为“{found}”，您有多个同名项目，请选择其中一个',
  },
  import_duplicate: { en: 'already exists', zh: '已存在' },
  import_overlap_row: { en: 'overlaps row {row}', zh: '与第 {row} 行时间重叠' },
  import_overlap_record: { en: 'overlaps your record {id}', zh: '与您的记录 {id} 时间重叠' },
  import_too_many_tags: {
    en: 'needs more than the {maximum} tags that you can have',
    zh: '需要的标签超过您可拥有的 {maximum} 个',
  },
  import_tags_left_out: {
    en: 'has more than {maximum} tags; the others are left out',
    zh: '标签超过 {maximum} 个，其余已省略',
  },
  import_too_many_projects: { en: 'would create more than {maximum} projects', zh: '将创建的项目超过 {maximum} 个' },
  import_overlap: { en: 'overlaps another record or another row', zh: '与其他记录或其他行时间重叠' },
} as const satisfies Catalogue;
