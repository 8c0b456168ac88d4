import type { Catalogue } from './catalogue.ts';

export const accountMessages = {
  signed_in: { en: 'Signed in.', zh: '登录成功。' },
  token_refreshed: { en: 'Token refreshed.', zh: '令牌已刷新。' },
  signed_out: { en: 'Signed out.', zh: '已退出登录。' },
  password_changed: {
    en: 'The password was changed and all other sign-ins were ended.',
    zh: '密码已修改，其他登录已全部失效。',
  },
  account_updated: { en: 'Your account was updated.', zh: '账号信息已更新。' },
  own_account_deleted: { en: 'Your account was deleted.', zh: '您的账号已删除。' },
  sign_ins_ended: { en: 'The sign-ins were ended.', zh: '这些登录已失效。' },
  sign_in_ended: { en: 'The sign-in was ended.', zh: '该登录已失效。' },
  token_created: {
    en: 'The token was created. Copy it now; it is not shown again.',
    zh: '令牌已创建，请立即复制，之后不再显示。',
  },
  token_revoked: { en: 'The token was revoked.', zh: '令牌已撤销。' },
  totp_setup_started: {
    en: 'Scan the QR code with an authenticator application and confirm with a code.',
    zh: '请用身份验证器应用扫描二维码，并输入验证码确认。',
  },
  totp_enabled: {
    en: 'The second factor is enabled; store the recovery codes in a safe place.',
    zh: '两步验证已启用，请妥善保存恢复码。',
  },
  totp_disabled: { en: 'The second factor is disabled.', zh: '两步验证已停用。' },
  totp_reset: { en: "The user's second factor was removed.", zh: '已移除该用户的两步验证。' },
  identity_unlinked: {
    en: 'The user is no longer linked with the identity provider.',
    zh: '该用户已与登录服务解除关联。',
  },
  user_created: { en: 'The user was created.', zh: '用户创建成功。' },
  users_created: { en: 'Users created: {done}.', zh: '已创建 {done} 个用户。' },
  users_partly_created: {
    en: 'Users created: {done}; not created: {failed}, see results.',
    zh: '已创建 {done} 个用户，{failed} 个未创建，详见 results。',
  },
  password_list_title: { en: 'New accounts', zh: '新账号' },
  password_list_name: { en: 'Name', zh: '姓名' },
  password_list_username: { en: 'Username', zh: '用户名' },
  password_list_password: { en: 'One-time password', zh: '一次性密码' },
  password_list_note: {
    en: 'Sign in within {days} days and choose your own password.',
    zh: '请在 {days} 天内登录并设置自己的密码。',
  },
  password_list_failed: { en: 'Not created: {names}.', zh: '未创建：{names}。' },
  user_updated: { en: 'The user was updated.', zh: '用户更新成功。' },
  student_note_saved: { en: 'The note was saved.', zh: '备注已保存。' },
  user_deleted: { en: 'The user was deleted.', zh: '用户删除成功。' },
  password_reset_done: {
    en: 'The password was reset and all sign-ins of the user were ended.',
    zh: '密码已重置，该用户的所有登录已失效。',
  },

  export_requested: {
    en: 'The archive is being created; GET /api/me/export shows when it is ready.',
    zh: '正在生成数据文件，可通过 GET /api/me/export 查看进度。',
  },
  export_pending: { en: 'Your archive is already being created.', zh: '已有一个数据文件正在生成。' },
  export_not_found: {
    en: 'There is no archive, or it has expired; request a new one.',
    zh: '没有数据文件，或已过期，请重新申请。',
  },
  too_many_exports: { en: 'At most three archives a day; try again later.', zh: '每天最多三次，请稍后重试。' },

  wrong_credentials: {
    en: 'The name or the password is wrong, or the account is not active.',
    zh: '用户名或密码错误，或账号未启用。',
  },
  password_sign_in_off: {
    en: 'Sign in with your school account: passwords are switched off here.',
    zh: '此处已关闭密码登录，请使用学校账号登录。',
  },
  sso_not_configured: { en: 'No identity provider is configured.', zh: '未配置单点登录。' },
  sso_unavailable: {
    en: 'The sign-in service of your school cannot be reached. Try again in a few minutes.',
    zh: '暂时无法连接学校的登录服务，请稍后重试。',
  },
  sso_expired: {
    en: 'This sign-in has expired, was already used, or was begun in another browser. Start again.',
    zh: '此次登录已过期、已使用过，或是在其他浏览器中发起的，请重新登录。',
  },
  sso_invalid: {
    en: 'The answer of the sign-in service is not valid, so you were not signed in. Start again, or tell an administrator.',
    zh: '登录服务返回的结果无效，未能登录。请重新登录，或联系管理员。',
  },
  sso_denied: {
    en: 'The sign-in service has not let you in, or you have cancelled.',
    zh: '登录服务未允许此次登录，或您已取消。',
  },
  sso_email_unverified: {
    en: 'The sign-in service does not confirm your e-mail address, so no account can be linked. Tell an administrator.',
    zh: '登录服务未确认您的邮箱地址，无法关联账号，请联系管理员。',
  },
  sso_other_identity: {
    en: 'The account with your e-mail address belongs to another sign-in. Tell an administrator.',
    zh: '该邮箱对应的账号已关联其他登录身份，请联系管理员。',
  },
  sso_no_account: {
    en: 'There is no account with your e-mail address here. Ask an administrator for one.',
    zh: '此处没有与您的邮箱对应的账号，请向管理员申请。',
  },
  sign_in_again: {
    en: 'Your account has no password: to confirm, sign out, sign in again, and repeat this within ten minutes.',
    zh: '您的账号没有密码。如需确认，请退出并重新登录，然后在十分钟内再次操作。',
  },
  sso_inactive: { en: 'Your account is not active. Ask an administrator.', zh: '您的账号未启用，请联系管理员。' },
  otp_required: {
    en: 'This account has a second factor: also send the code from the authenticator application as otp.',
    zh: '该账号已启用两步验证，请在 otp 中同时提交身份验证器应用的验证码。',
  },
  otp_setup_required: {
    en: 'Enable a second factor first: POST /api/auth/totp.',
    zh: '请先启用两步验证：POST /api/auth/totp。',
  },
  totp_already_enabled: {
    en: 'The second factor is already enabled; disable it first.',
    zh: '两步验证已启用，如需更换请先停用。',
  },
  totp_setup_not_started: {
    en: 'There is no second factor to confirm, or its setup has expired; start again.',
    zh: '没有待确认的两步验证，或设置已过期，请重新开始。',
  },
  totp_not_enabled: { en: 'The second factor is not enabled.', zh: '两步验证未启用。' },
  totp_reset_own: {
    en: 'Disabling your own second factor requires a code: DELETE /api/auth/totp.',
    zh: '停用自己的两步验证需要验证码：DELETE /api/auth/totp。',
  },
  sign_in_not_found: { en: 'You have no such sign-in, or it has ended.', zh: '没有该登录，或该登录已失效。' },
  calendar_created: {
    en: 'The calendar address was created. Copy it now; it is not shown again.',
    zh: '日历地址已创建，请立即复制，之后不再显示。',
  },
  calendar_deleted: { en: 'The calendar address was revoked.', zh: '日历地址已撤销。' },
  calendar_not_found: {
    en: 'There is no such calendar address, or it was revoked.',
    zh: '没有该日历地址，或已被撤销。',
  },
  calendar_name: { en: 'Study', zh: '学习' },
  calendar_due: { en: 'Due: {name}', zh: '截止：{name}' },
  token_not_found: { en: 'You have no such token, or it is no longer valid.', zh: '没有该令牌，或该令牌已失效。' },
  too_many_calendars: {
    en: 'At most {maximum} calendar addresses can be created within 24 hours.',
    zh: '24 小时内最多创建 {maximum} 个日历地址。',
  },
  too_many_tokens: {
    en: 'You have {maximum} tokens, or created as many within a day; revoke some or try again later.',
    zh: '令牌已达 {maximum} 个，或一天内创建过多，请撤销一些或稍后重试。',
  },
  token_expiry: { en: 'must be in the future, within a year', zh: '必须在未来一年之内' },
  scope_of_administrators: { en: 'is for administrators only', zh: '仅限管理员' },
  scope_required: { en: 'This token does not have the scope {scope}.', zh: '该令牌没有 {scope} 权限范围。' },
  sign_in_required: {
    en: 'Personal access tokens cannot be used for this; sign in.',
    zh: '此操作不能使用个人访问令牌，请登录。',
  },
  invalid_refresh_token: {
    en: 'The refresh token is invalid or expired; sign in again.',
    zh: '刷新令牌无效或已失效，请重新登录。',
  },
  own_pages_only: {
    en: 'Only pages of this service may send this request, as JSON; other clients use POST /api/auth/login and /refresh.',
    zh: '该请求只能由本服务自己的页面以 JSON 发送；其他客户端请使用 POST /api/auth/login 和 /refresh。',
  },
  too_many_sign_ins: {
    en: 'Too many wrong passwords; try again after the time in the Retry-After header.',
    zh: '密码错误次数过多，请在 Retry-After 头给出的时间后重试。',
  },
  user_not_found: { en: 'There is no such user.', zh: '用户不存在。' },
  last_admin: {
    en: 'This is the last active administrator; create another one first.',
    zh: '这是最后一位启用的管理员，请先设置另一位管理员。',
  },

  password_change_required: {
    en: 'This is a one-time password: change it first with PUT /api/auth/password.',
    zh: '这是一次性密码，请先通过 PUT /api/auth/password 修改密码。',
  },
  common_password: { en: 'is a common password and easily guessed', zh: '过于常见，容易被猜到' },
  password_contains_name: {
    en: 'must not contain the username or equal the name in the e-mail address',
    zh: '不能包含用户名，也不能与邮箱名相同',
  },
  email_by_administrator: {
    en: 'Only administrators can change e-mail addresses.',
    zh: '只有管理员可以修改邮箱地址。',
  },
  same_password: { en: 'must differ from the one-time password', zh: '不能与一次性密码相同' },
  wrong_password: { en: 'is not the current password', zh: '与当前密码不符' },
  wrong_otp: { en: 'is wrong, expired or already used', zh: '错误、已过期或已使用过' },
  username_taken: { en: 'is already taken', zh: '已被使用' },
  email_taken: { en: 'is already in use', zh: '已被使用' },
  invalid_username: {
    en: 'must have 3 to 32 characters: letters, digits and _ . -',
    zh: '必须为 3 到 32 个字符，只能包含字母、数字和 _ . -',
  },
  reserved_username: { en: 'is reserved for deleted accounts', zh: '为已删除账号保留的名称' },
} as const satisfies Catalogue;
