import { api, type Schemas } from '../../lib/api.ts';
import { useProblem } from '../../lib/problem.ts';
import { session, useAccount, useIsLimited } from '../../lib/session.ts';
import { type Catalogue, useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useMail } from '../../lib/use-meta.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import styles from './account.module.css';

const mailMessages = {
  title: { en: 'Mails', zh: '邮件提醒' },
  about: { en: 'Sent to {email}. Each mail has a link that stops it.', zh: '发送至 {email}，每封邮件都附有退订链接。' },
  streak: { en: 'When my streak ends today', zh: '连续学习即将中断时提醒我' },
  off: { en: 'Off', zh: '不提醒' },
  from: { en: 'From {hour}:00', zh: '{hour}:00 起' },
  week: { en: 'My week, on the first day of the next', zh: '每周第一天发送上周学习小结' },
  digest: { en: 'What needs attention in my classes, weekly', zh: '每周发送班级周报（需要关注的学生与请求）' },
  requests: { en: 'New contact requests', zh: '有新的联系申请时通知我' },
} as const satisfies Catalogue;
export const reminderHours = [12, 15, 17, 18, 19, 20, 21, 22];

/** The mails that a user may choose; each choice is saved at once. */
export function Mails() {
  const t = useTexts(mailMessages);
  const problem = useProblem();
  const { email, role, streak_reminder_hour: hour, weekly_mail, new_request_mail } = useAccount();
  const isLimited = useIsLimited();
  const { run, isRunning, error } = useAction(
    async (body: Partial<Pick<Schemas['Account'], 'streak_reminder_hour' | 'weekly_mail' | 'new_request_mail'>>) => {
      session.update((await api.put('/api/auth/me', { body, ifMatch: false })).data);
    },
  );
  if (useMail() !== true) return null;
  const shown = hour === null || reminderHours.includes(hour) ? reminderHours : [hour, ...reminderHours];
  return (
    <Card title={t('title')}>
      <div className={styles.form}>
        <p className={styles.hint}>{t('about', { email })}</p>
        {error !== undefined && <Notice kind="error">{problem(error)}</Notice>}
        {role === 'user' && (
          <Select
            label={t('streak')}
            value={String(hour ?? '')}
            onChange={(chosen) => void run({ streak_reminder_hour: chosen === '' ? null : Number(chosen) })}
            options={[['', t('off')], ...shown.map((at): [string, string] => [String(at), t('from', { hour: at })])]}
          />
        )}
        <Checkbox
          isSelected={weekly_mail}
          isDisabled={isRunning}
          onChange={(chosen) => void run({ weekly_mail: chosen })}
        >
          {t(role === 'admin' ? 'digest' : 'week')}
        </Checkbox>
        {role === 'admin' && !isLimited && (
          <Checkbox
            isSelected={new_request_mail}
            isDisabled={isRunning}
            onChange={(chosen) => void run({ new_request_mail: chosen })}
          >
            {t('requests')}
          </Checkbox>
        )}
      </div>
    </Card>
  );
}
