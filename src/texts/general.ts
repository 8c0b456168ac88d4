import type { Catalogue } from './catalogue.ts';

/** Messages of all operations: validation, permissions, limits, internal errors. */
export const generalMessages = {
  ok: { en: 'OK', zh: '成功' },

  validation_failed: {
    en: 'Some values are invalid; see details.',
    zh: '部分参数无效，详见 details。',
  },
  invalid: { en: 'is invalid', zh: '无效' },
  required: { en: 'is required', zh: '为必填项' },
  expected_type: { en: 'must be of type {expected}', zh: '类型必须为 {expected}' },
  expected_integer: { en: 'must be a whole number', zh: '必须为整数' },
  too_short: { en: 'must have at least {minimum} characters', zh: '至少 {minimum} 个字符' },
  too_long: { en: 'must have at most {maximum} characters', zh: '最多 {maximum} 个字符' },
  too_small: { en: 'must be at least {minimum}', zh: '不能小于 {minimum}' },
  too_big: { en: 'must be at most {maximum}', zh: '不能大于 {maximum}' },
  too_few_items: { en: 'must not be empty', zh: '不能为空' },
  too_many_items: { en: 'must have at most {maximum} items', zh: '最多包含 {maximum} 项' },
  not_one_of: { en: 'must be one of: {values}', zh: '必须是以下之一：{values}' },
  not_combined: { en: 'cannot be combined with {other}', zh: '不能与 {other} 同时使用' },
  invalid_email: { en: 'must be a valid e-mail address', zh: '必须是有效的邮箱地址' },
  invalid_date: {
    en: 'must be an ISO 8601 date and time with an offset, such as 2026-02-01T08:00:00Z',
    zh: '必须是带时区偏移的 ISO 8601 时间，例如 2026-02-01T08:00:00Z',
  },
  time_zones_differ: { en: 'must be the same as timezone', zh: '必须与 timezone 相同' },
  invalid_moment: {
    en: 'must be a date, such as 2026-02-01, or a date and time with an offset, such as 2026-02-01T08:00:00Z',
    zh: '必须是日期（例如 2026-02-01），或带时区偏移的日期和时间（例如 2026-02-01T08:00:00Z）',
  },
  invalid_day: {
    en: 'must be a date from 2000-01-01 to 2199-12-31, such as 2026-02-01',
    zh: '必须是 2000-01-01 至 2199-12-31 之间的日期，例如 2026-02-01',
  },
  invalid_time_zone: {
    en: 'must be an IANA time zone, such as Asia/Shanghai',
    zh: '必须是 IANA 时区，例如 Asia/Shanghai',
  },
  ambiguous_time_zone: {
    en: '{name} means several time zones; give the name of one, such as {suggestion}',
    zh: '{name} 可指多个时区，请使用具体的时区名称，例如 {suggestion}',
  },
  period_ends_early: { en: 'must not be before the first day', zh: '不能早于起始日期' },
  period_too_long: { en: 'the period must have at most {maximum} days', zh: '时间范围不能超过 {maximum} 天' },
  no_weekday_left: { en: 'must leave at least one weekday', zh: '至少保留一个非休息日' },
  invalid_id: { en: 'must be a positive whole number', zh: '必须为正整数' },
  invalid_ids: { en: 'must be ids separated by commas, such as 42,43', zh: '必须为以逗号分隔的编号，例如 42,43' },
  invalid_uuid: { en: 'must be a UUID', zh: '必须为 UUID' },
  invalid_text: {
    en: 'must not contain NUL characters, lone surrogates or more than 30 combining marks in a row',
    zh: '不能包含 NUL 字符、孤立代理项或连续 30 个以上的组合字符',
  },
  invalid_cursor: { en: 'must be a cursor from an earlier response', zh: '必须是先前返回的游标' },
  no_newlines: { en: 'must be a single line', zh: '必须为单行文本' },
  given_once: { en: 'must be given once, without brackets', zh: '只能出现一次，且不能带方括号' },
  invalid_json: {
    en: 'is not valid JSON at line {line}, column {column}',
    zh: '不是有效的 JSON：第 {line} 行第 {column} 列有误',
  },
  field_must_be_json: { en: 'must be an object in JSON', zh: '必须为 JSON 格式的对象' },
  body_must_be_json: {
    en: 'must be JSON with the header Content-Type: application/json',
    zh: '必须为 JSON，并带有 Content-Type: application/json',
  },
  body_broken: {
    en: 'cannot be read: it is incomplete, or not compressed as Content-Encoding says',
    zh: '无法读取：内容不完整，或与 Content-Encoding 声明的压缩方式不符',
  },
  unsupported_encoding: {
    en: 'must be sent uncompressed, or compressed with gzip, deflate or br, not with {encoding}',
    zh: '只能不压缩，或使用 gzip、deflate、br 压缩，不支持 {encoding}',
  },
  unsupported_charset: { en: 'must be in UTF-8, not in {charset}', zh: '必须使用 UTF-8 编码，不支持 {charset}' },
  invalid_url: { en: 'The address cannot be decoded.', zh: '地址无法解码。' },

  too_many_at_once: {
    en: 'Too many of your requests are being processed at once; try again in a few seconds.',
    zh: '您同时提交的请求过多，请稍后重试。',
  },

  form_must_be_multipart: {
    en: 'must be a file in a form with the header Content-Type: multipart/form-data',
    zh: '必须以 multipart/form-data 表单上传文件',
  },
  form_broken: {
    en: 'cannot be read: the form is malformed or incomplete',
    zh: '无法读取：表单格式错误或传输中断',
  },
  form_fields_limited: {
    en: 'The form may have at most {fields} fields besides the file, each with a name and at most {bytes} bytes.',
    zh: '除文件外，表单最多 {fields} 个字段，须有名称，且每个不超过 {bytes} 字节。',
  },
  file_required: { en: 'must be a file', zh: '必须上传一个文件' },
  file_one_only: { en: 'must be the only file of the form', zh: '表单只能包含一个文件' },
  file_wrong_field: {
    en: 'must have the file, which was sent in another field',
    zh: '必须包含该文件，文件被放在了其他字段中',
  },
  file_compressed: { en: 'must be sent without Content-Encoding', zh: '上传时不能带 Content-Encoding' },
  file_too_large: { en: 'must not be larger than {megabytes} MB', zh: '不能超过 {megabytes} MB' },

  invalid_idempotency_key: {
    en: 'must have 1 to 128 visible ASCII characters',
    zh: '必须为 1 到 128 个可见 ASCII 字符',
  },

  header_given_once: { en: 'must be sent once', zh: '只能发送一次' },
  invalid_if_match: {
    en: 'must be the ETag of a response, with its quotation marks, a list of at most ten, or *',
    zh: '必须为响应中的 ETag（含引号）、最多十个的列表，或 *',
  },

  unauthorized: {
    en: 'Sign in first, and send the token in the header Authorization: Bearer TOKEN.',
    zh: '请先登录，并以 Authorization: Bearer TOKEN 的形式携带令牌。',
  },
  access_token_malformed: {
    en: 'The token is not valid. Send the one of your sign-in in the header Authorization: Bearer TOKEN.',
    zh: '令牌无效，请以 Authorization: Bearer TOKEN 的形式携带登录时获得的令牌。',
  },
  access_token_expired: {
    en: 'The token has expired. Sign in again, and send the new one in the header Authorization: Bearer TOKEN.',
    zh: '令牌已过期，请重新登录，并以 Authorization: Bearer TOKEN 的形式携带新令牌。',
  },
  access_token_revoked: {
    en: 'The token is no longer valid. Sign in again, and send the new one in the header Authorization: Bearer TOKEN.',
    zh: '令牌已失效，请重新登录，并以 Authorization: Bearer TOKEN 的形式携带新令牌。',
  },
  whole_school_only: {
    en: 'Only administrators of the whole school may do this.',
    zh: '仅全校管理员可以执行此操作。',
  },
  whole_school_only_item: { en: 'can only be set by administrators of the whole school', zh: '仅全校管理员可以设置' },
  out_of_scope: {
    en: 'This does not belong to the classes that you administer.',
    zh: '这不属于您管理的班级。',
  },
  out_of_scope_item: { en: 'does not belong to the classes that you administer', zh: '不属于您管理的班级' },
  own_scope: {
    en: 'Nobody can change their own scope.',
    zh: '不能更改自己的管理范围。',
  },
  scope_of_admins_only: { en: 'is for administrators only', zh: '仅用于管理员' },
  groups_of_limited_only: {
    en: 'must be empty unless admin_scope is groups',
    zh: '仅当 admin_scope 为 groups 时可以填写',
  },
  groups_of_users_only: { en: 'is for ordinary users only', zh: '仅用于普通用户' },
  group_ids_required: { en: 'must name at least one of your classes', zh: '必须至少包含一个您管理的班级' },
  admin_only: { en: 'Only administrators may do this.', zh: '仅管理员可以执行此操作。' },
  route_not_found: { en: 'There is no such path.', zh: '该地址不存在。' },
  method_not_allowed: {
    en: 'The method is not allowed for this path; the Allow header lists those that are.',
    zh: '该地址不支持此方法，支持的方法见 Allow 头。',
  },
  conflict: { en: 'The current state does not allow this.', zh: '当前状态不允许此操作。' },
  idempotency_mismatch: {
    en: 'This Idempotency-Key was used with another body; use a new key for a new request.',
    zh: '该 Idempotency-Key 已用于不同的请求体，新请求请使用新的键。',
  },
  precondition_failed: {
    en: 'The resource has changed in the meantime; read it again and repeat the change.',
    zh: '内容已被修改，请重新读取后再提交。',
  },
  payload_too_large: { en: 'The body is too large; the limit is {limit}.', zh: '请求体过大，最多 {limit}。' },
  rate_limited: {
    en: 'Too many requests; try again after the time in the Retry-After header.',
    zh: '请求过于频繁，请在 Retry-After 头给出的时间后重试。',
  },
  service_unavailable: {
    en: 'The service is temporarily unavailable; try again shortly.',
    zh: '服务暂时不可用，请稍后重试。',
  },
  storage_unavailable: {
    en: 'Files cannot be stored at the moment; everything else works.',
    zh: '暂时无法保存文件，其他功能不受影响。',
  },
  internal_error: {
    en: 'An internal error occurred. Report it with the request id {requestId}.',
    zh: '服务内部错误。反馈问题时请提供请求编号 {requestId}。',
  },
} as const satisfies Catalogue;
