import type { Catalogue } from './catalogue.ts';

export const rosterMessages = {
  roster_begun: {
    en: 'The file was read and is being compared with the accounts.',
    zh: '文件已读取，正在与现有账号比对。',
  },
  roster_not_found: { en: 'There is no such student list.', zh: '名册不存在。' },
  roster_running: {
    en: 'Another student list is being processed; try again when it has finished.',
    zh: '已有一份名册正在处理，请等它完成后再试。',
  },
  roster_interrupted: {
    en: 'The service was interrupted. Send the file again; what was applied is not applied twice.',
    zh: '服务曾中断，请重新上传文件，已生效的内容不会重复处理。',
  },
  roster_row_failed: {
    en: 'Stopped after {failures} failed attempts, the last one at row {row}; the log of the service has the error. The remaining rows were not applied.',
    zh: '尝试 {failures} 次均失败，已停止；最后一次失败在第 {row} 行，错误见服务日志。剩余各行未处理。',
  },
  roster_attempts_failed: {
    en: 'Stopped after {failures} failed attempts; the log of the service has the error.',
    zh: '尝试 {failures} 次均失败，已停止；错误见服务日志。',
  },
  roster_rights_lost: {
    en: 'The administrator no longer has the right to it: the account, its role or the sign-in has changed. The remaining rows were not applied.',
    zh: '管理员已不再具备权限（账号、角色或登录已变更），剩余各行未处理。',
  },
  roster_no_mail: { en: 'needs a mail server (SMTP_URL)', zh: '需要配置邮件服务器（SMTP_URL）' },
  roster_no_rows: { en: 'has no accounts', zh: '不包含任何账号' },
  roster_columns: {
    en: 'has the columns “{found}”; expected are username, email, display_name, external_id and group, at least one of the first two or external_id',
    zh: '的列为“{found}”；应为 username、email、display_name、external_id、group，且 username、email、external_id 至少有一列',
  },
  roster_column_missing: { en: 'needs the columns {names}', zh: '缺少列 {names}' },
  roster_archive_broken: {
    en: 'is not a readable ZIP archive; it must be complete, without a password, and compressed as usual',
    zh: '不是可读取的 ZIP 文件；文件须完整、未加密，并使用常规压缩方式',
  },
  roster_archive_too_large: {
    en: 'is an archive of more than {entries} files or {megabytes} MiB, or compressed more than {ratio} times',
    zh: '压缩包内文件超过 {entries} 个、解压后超过 {megabytes} MiB，或压缩比超过 {ratio} 倍',
  },
  roster_archive_repeated: { en: 'has the file “{found}” twice', zh: '包含两个名为“{found}”的文件' },
  roster_archive_unknown: {
    en: 'is an archive of “{found}”; expected is a OneRoster archive with users.csv and manifest.csv. Save a workbook as CSV.',
    zh: '压缩包内为“{found}”；应为包含 users.csv 和 manifest.csv 的 OneRoster 压缩包。工作簿请另存为 CSV。',
  },
  roster_version: {
    en: 'has the version “{found}”; 1.1 and 1.2 are accepted',
    zh: '的版本为“{found}”，仅支持 1.1 和 1.2',
  },
  roster_not_bulk: {
    en: 'says {name} is “{found}”; only complete files (bulk) are accepted',
    zh: '中 {name} 为“{found}”，仅支持完整导出（bulk）',
  },
  roster_class_repeated: {
    en: '“{found}” is also the name of row {row}; classes with the same title need different codes',
    zh: '“{found}”与第 {row} 行重名；同名班级须有不同的 classCode',
  },
  roster_class_unknown: { en: '“{found}” is not in classes.csv', zh: '“{found}”不在 classes.csv 中' },
  roster_date: {
    en: 'is “{found}”; accepted is a date such as 2026-09-01',
    zh: '为“{found}”；应为日期，如 2026-09-01',
  },
  roster_choice: { en: 'is “{found}”; accepted are {accepted}', zh: '为“{found}”；应为以下之一：{accepted}' },
  roster_username: {
    en: 'is “{found}”; accepted are 3 to 32 letters A–Z, digits, and _ . -',
    zh: '为“{found}”；应为 3–32 位英文字母、数字或 _ . -',
  },
  roster_email: { en: 'is “{found}”; accepted is an e-mail address', zh: '为“{found}”；应为邮箱地址' },
  roster_display_name: { en: 'is “{found}”; accepted are 1 to 50 characters', zh: '为“{found}”；应为 1–50 个字符' },
  roster_external_id: { en: 'is “{found}”; accepted are 1 to 255 characters', zh: '为“{found}”；应为 1–255 个字符' },
  roster_group: { en: 'is “{found}”; accepted are 1 to 50 characters', zh: '为“{found}”；应为 1–50 个字符' },
  roster_shortened_number: {
    en: 'is “{found}”, a number whose digits a spreadsheet has lost; format the column as text and export it again',
    zh: '为“{found}”，是被电子表格舍去位数的数字，请将该列设为文本格式后重新导出',
  },
  roster_many_groups: { en: 'are {found}; accepted are at most {maximum}', zh: '共 {found} 个，最多 {maximum} 个' },
  roster_many_new_groups: {
    en: 'has more than {maximum} groups that do not exist yet',
    zh: '中尚不存在的分组超过 {maximum} 个',
  },
  roster_many_missing: {
    en: 'is {maximum}, but {missing} accounts are missing. Send {missing} if all of them have left, or the complete file.',
    zh: '为 {maximum}，但缺少 {missing} 个账号。若这些人均已离校，请填 {missing}；否则请上传完整文件。',
  },
  roster_nobody: {
    en: 'is empty; an account needs a username, an e-mail address or an external id',
    zh: '为空；每行须填写用户名、邮箱或外部编号',
  },
  roster_repeated: {
    en: '“{found}” is also that of row {row}; each account may have one row, with its groups separated by semicolons',
    zh: '“{found}”与第 {row} 行重复；每个账号只能占一行，多个班级用分号分隔',
  },
  roster_same_account: {
    en: 'finds the same account as row {row}; each account may have one row',
    zh: '与第 {row} 行对应同一账号；每个账号只能占一行',
  },
  roster_new_needs: {
    en: 'is empty; a new account needs a username and an e-mail address',
    zh: '为空；新账号须填写用户名和邮箱',
  },
  roster_of_other: {
    en: '“{found}” belongs to another account than “{username}”, which the row finds first',
    zh: '“{found}”属于其他账号，而该行首先匹配到“{username}”',
  },
  roster_other_id: {
    en: 'differs from “{current}”, which “{username}” has; it may be another person',
    zh: '与“{username}”现有的“{current}”不同，可能不是同一人',
  },
  roster_group_too_large: {
    en: '“{found}” would have {members} members; at most {maximum} are possible',
    zh: '“{found}”将有 {members} 名成员，最多 {maximum} 名',
  },
  roster_group_full: { en: 'is full, or was deleted meanwhile', zh: '人数已满，或已被删除' },
  roster_administrator: {
    en: 'is an administrator now; a roster does not change administrators.',
    zh: '现已是管理员，名册不会更改管理员账号。',
  },
} as const satisfies Catalogue;
