import type { User } from '../users/user-queries.ts';
import type { RequestDetail } from './inbox-queries.ts';

type Template = (values: { username: string; origin: string }) => string;
type Templates = { subject: Record<RequestDetail['subject'], string>; greeting: (name: string) => string } & Record<
  'account' | 'which_class' | 'link' | 'which_address' | 'problem' | 'thanks',
  Template
>;

/** In the language of the sender, whatever that of the administrator is. */
const templates: Record<'en' | 'zh', Templates> = {
  en: {
    subject: {
      account_registration: 'Your account',
      password_reset: 'Your password',
      technical_support: 'Your problem',
      feature_request: 'Your idea',
      other: 'Your message',
    },
    greeting: (name) => `Hello ${name},`,
    account: ({ username, origin }) =>
      `you have an account. Your user name is ${username}; you get a one-time password from your teacher. Sign in at ${origin}.`,
    which_class: () => 'which class are you in, and who is your teacher? You get the account as soon as we know.',
    link: ({ username }) =>
      `you will get another e-mail with a link with which you choose a new password. Your user name is ${username}.`,
    which_address: () => 'we have found no account with this address. Which address or user name do you sign in with?',
    problem: () =>
      'thank you for telling us. Which page was it, what did you do, and what did you see? A picture of the screen helps.',
    thanks: () => 'thank you for your message.',
  },
  zh: {
    subject: {
      account_registration: '关于您的账号',
      password_reset: '关于您的密码',
      technical_support: '关于您遇到的问题',
      feature_request: '关于您的建议',
      other: '关于您的留言',
    },
    greeting: (name) => `${name}，您好：`,
    account: ({ username, origin }) =>
      `您的账号已开通，用户名为 ${username}，一次性密码由老师发给您。请在 ${origin} 登录。`,
    which_class: () => '请告诉我们您所在的班级和老师姓名，确认后即为您开通账号。',
    link: ({ username }) => `您将收到另一封邮件，点击其中的链接即可设置新密码。您的用户名为 ${username}。`,
    which_address: () => '没有账号使用此邮箱。请告诉我们您登录时使用的邮箱或用户名。',
    problem: () => '感谢您的反馈。请告诉我们问题出现在哪个页面、您做了什么操作、看到了什么，最好附上截图。',
    thanks: () => '感谢您的留言。',
  },
};

function templateOf(
  subject: RequestDetail['subject'],
  isKnown: boolean,
): keyof Omit<Templates, 'subject' | 'greeting'> {
  if (subject === 'account_registration') return isKnown ? 'account' : 'which_class';
  if (subject === 'password_reset') return isKnown ? 'link' : 'which_address';
  return subject === 'technical_support' ? 'problem' : 'thanks';
}

/** Opens the mail program with a reply that only needs to be read and sent. */
export function mailTo({ id, name, email, subject, message }: RequestDetail, account: User | undefined): string {
  const language = /\p{Script=Han}/u.test(message) ? 'zh' : 'en';
  const texts = templates[language];
  const body = [
    texts.greeting(name),
    texts[templateOf(subject, account !== undefined)]({ username: account?.username ?? '', origin: location.origin }),
    message.replace(/^/gm, '> '),
  ].join('\n\n');
  const fields = { subject: `#${id} ${texts.subject[subject]}`, body: body.replaceAll('\n', '\r\n') };
  const query = Object.entries(fields).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return `mailto:${encodeURIComponent(email)}?${query.join('&')}`;
}
