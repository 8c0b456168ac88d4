import { Copy, Download, Printer } from 'lucide-react';
import { optional } from '../../lib/loadable.tsx';
import { saveFile } from '../../lib/save-file.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { userMessages } from './messages.ts';
import styles from './one-time-passwords.module.css';
import type { GivenPassword } from './user-queries.ts';

const QrCode = optional(() => import('./qr-code.tsx'));

/** Opens the sign-in page with the user name. A password in an address would be kept in histories and logs. */
const signInLink = (username: string) => `${location.origin}${href('signIn')}?username=${encodeURIComponent(username)}`;

/** Slips are bilingual: the user's language is unknown. */
const both = {
  username: ['Username', '用户名'],
  password: ['One-time password', '一次性密码'],
  where: ['Sign in at', '登录地址'],
  what: ['Sign in within 7 days, and choose your own password.', '请在 7 天内登录，并设置自己的密码。'],
} as const;

/** One-time passwords as slips to hand out. Printing prints only the slips. */
export function OneTimePasswords({ entries, onClose }: { entries: readonly GivenPassword[]; onClose: () => void }) {
  const t = useTexts(userMessages);
  return (
    <div className={styles.passwords}>
      <Notice kind="success">{t('once', { count: entries.length })}</Notice>
      <ul className={styles.slips}>
        {entries.map((entry) => (
          <li key={entry.username} className={styles.slip}>
            <QrCode text={signInLink(entry.username)} label={t('qr', { name: entry.display_name })} />
            <strong>{entry.display_name}</strong>
            <dl>
              <Pair of={both.username} value={entry.username} />
              <Pair of={both.password} value={entry.one_time_password ?? t('used_up')} />
              <Pair of={both.where} value={location.origin} />
            </dl>
            <p>
              <Both of={both.what} />
            </p>
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button look="primary" icon={<Printer size={18} />} onPress={() => print()}>
          {t('print')}
        </Button>
        {entries.length > 1 && (
          <>
            <Button
              icon={<Copy size={18} />}
              onPress={() =>
                void navigator.clipboard
                  .writeText(tableOf(entries, '\t'))
                  .then(() => toast({ text: t('copied_passwords', { count: entries.length }) }))
              }
            >
              {t('copy')}
            </Button>
            <Button
              icon={<Download size={18} />}
              onPress={() =>
                saveFile(new Blob([`\uFEFF${tableOf(entries, ',')}`], { type: 'text/csv' }), 'studytrack-accounts.csv')
              }
            >
              {t('export')}
            </Button>
          </>
        )}
        <Button onPress={onClose}>{t('done')}</Button>
      </div>
    </div>
  );
}

const columns = ['display_name', 'username', 'one_time_password'] as const;

/** Quoted, and without formulas, which a spreadsheet would run. */
const cellOf = (text: string) => `"${text.replace(/^(?=[=+\-@\t])/, "'").replaceAll('"', '""')}"`;

/** A table for spreadsheets: tabs for the clipboard, commas for a file. */
function tableOf(entries: readonly GivenPassword[], separator: ',' | '\t'): string {
  const rows = [columns, ...entries.map((entry) => columns.map((name) => entry[name] ?? ''))];
  const cell = separator === ',' ? cellOf : (text: string) => text.replace(/\s/g, ' ');
  return rows.map((row) => row.map(cell).join(separator)).join('\r\n');
}

type Texts = readonly [en: string, zh: string];

function Pair({ of, value }: { of: Texts; value: string }) {
  return (
    <div>
      <dt>
        <Both of={of} />
      </dt>
      <dd>{value}</dd>
    </div>
  );
}

function Both({ of: [en, zh] }: { of: Texts }) {
  return (
    <>
      <span lang="en">{en}</span> <span lang="zh-CN">{zh}</span>
    </>
  );
}
