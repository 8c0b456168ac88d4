import { type ReactNode, useState } from 'react';
import { api } from '../../lib/api.ts';
import { cx } from '../../lib/cx.ts';
import { changed } from '../../lib/freshness.ts';
import { useProblem } from '../../lib/problem.ts';
import { session, useAccount, useIsLimited } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { useMail } from '../../lib/use-meta.ts';
import { weekdayNames } from '../../lib/weekdays.ts';
import table from '../../ui/data-table.module.css';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { type Channel, ChannelForm, channelPath, useChannel } from './channel-form.tsx';
import { Choice, Hour } from './reminder-choices.tsx';
import { reminderMessages } from './reminder-messages.ts';
import styles from './reminders.module.css';

type Wants = Pick<Channel, 'streak_hour' | 'weekly' | 'new_requests'>;
type Way = 'mail' | 'channel';
const nothing: Wants = { streak_hour: null, weekly: false, new_requests: false };
const kinds = { streak: 'streak_hour', week: 'weekly', digest: 'weekly', requests: 'new_requests' } as const;
type Kind = keyof typeof kinds;
const usualHour = 20;
const isOn = (wanted: number | boolean | null): boolean => wanted !== null && wanted !== false;

async function save(way: Way, wants: Partial<Wants>): Promise<void> {
  if (way === 'channel') {
    await api.put(channelPath, { body: wants, ifMatch: false });
    return changed('channel');
  }
  const { streak_hour, weekly, new_requests } = wants;
  const body = {
    ...(streak_hour !== undefined && { streak_reminder_hour: streak_hour }),
    ...(weekly !== undefined && { weekly_mail: weekly }),
    ...(new_requests !== undefined && { new_request_mail: new_requests }),
  };
  session.update((await api.put('/api/auth/me', { body, ifMatch: false })).data);
}

/** What is sent to the user, and by which ways. Each choice is saved at once; only the channel itself has a form. */
export function Reminders() {
  const t = useTexts(reminderMessages);
  const problem = useProblem();
  const { locale } = useSettings();
  const { email, role, week_start, ...account } = useAccount();
  const isLimited = useIsLimited();
  const hasMail = useMail() === true;
  const read = useChannel();
  const channel = read.data ?? undefined;
  const [saved, setSaved] = useState('');
  const [failure, setFailure] = useState<unknown>();
  const [lastHour, setLastHour] = useState(usualHour);

  const wants: Record<Way, Wants> = {
    mail: {
      streak_hour: account.streak_reminder_hour,
      weekly: account.weekly_mail,
      new_requests: account.new_request_mail,
    },
    channel: channel ?? nothing,
  };
  const ways: Way[] = [...(hasMail ? ['mail' as const] : []), ...(channel === undefined ? [] : ['channel' as const])];
  const nameOf = (way: Way) => t(way === 'mail' || channel === undefined ? 'mail' : channel.kind);
  const inText = (way: Way) => (way === 'mail' ? t('by_mail') : nameOf(way));
  const chosenHours = ways.flatMap((way) => wants[way].streak_hour ?? []);
  const hour = chosenHours[0] ?? lastHour;

  async function run(work: () => Promise<void>, text: string): Promise<void> {
    setSaved('');
    setFailure(undefined);
    try {
      await work();
      setSaved(text);
    } catch (error) {
      setFailure(error);
    }
  }
  function choose(kind: Kind, way: Way, wanted: boolean): Promise<void> {
    setLastHour(hour);
    const wants = kind === 'streak' ? { streak_hour: wanted ? hour : null } : { [kinds[kind]]: wanted };
    return run(() => save(way, wants), t(wanted ? 'on' : 'off', { what: t(kind), way: inText(way) }));
  }
  function chooseHour(chosen: number): Promise<void> {
    const on = ways.filter((way) => wants[way].streak_hour !== null);
    return run(
      async () => {
        for (const way of on) await save(way, { streak_hour: chosen });
      },
      t('from_now', { hour: chosen }),
    );
  }

  const weekly = t('weekly', { day: weekdayNames(locale)(week_start) });
  const rows: [Kind, ReactNode][] =
    role === 'user'
      ? [
          ['streak', <Hour key="hour" chosen={chosenHours} hour={hour} onChoose={chooseHour} />],
          ['week', weekly],
        ]
      : [['digest', weekly], ...(isLimited ? [] : [['requests', t('at_once')] satisfies [Kind, ReactNode]])];
  return (
    <Card title={t('title')} context={<span role="status">{saved}</span>} isFlush>
      {failure !== undefined && (
        <div className={styles.notice}>
          <Notice kind="error">{problem(failure)}</Notice>
        </div>
      )}
      {ways.length > 0 && (
        <table className={cx(table.table, styles.kinds)}>
          <thead>
            <tr>
              <th scope="col">{t('what')}</th>
              <th scope="col">{t('when')}</th>
              {ways.map((way) => (
                <th key={way} scope="col">
                  {nameOf(way)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([kind, when]) => (
              <tr key={kind}>
                <th scope="row">
                  {t(kind)} <small>{t(`${kind}_about`)}</small>
                </th>
                <td>{when}</td>
                {ways.map((way) => (
                  <td key={way}>
                    <Choice
                      label={t('by', { what: t(kind), way: inText(way) })}
                      isChosen={isOn(wants[way][kinds[kind]])}
                      onChoose={(wanted) => choose(kind, way, wanted)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className={styles.ways}>
        {hasMail && (
          <>
            <h3>{t('mail')}</h3>
            <p>
              {email} <small>{t('mail_about')}</small>
            </p>
          </>
        )}
        <div>
          <h3>{t('kind')}</h3>
          {hasMail && <small>{t('beside')}</small>}
        </div>
        <div>
          <Loading of={read} />
          {read.data !== undefined && <ChannelForm key={`${channel?.kind} ${channel?.address}`} channel={read.data} />}
        </div>
      </div>
    </Card>
  );
}
