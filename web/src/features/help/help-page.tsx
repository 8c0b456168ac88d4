import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { frameMessages } from '../../frame/messages.ts';
import { navItemsOf } from '../../frame/navigation.tsx';
import { cx } from '../../lib/cx.ts';
import { useAccount, useIsLimited } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { type Shortcut, shortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';
import styles from './help.module.css';
import { Keys, keyNames } from './keys.tsx';
import { KeysSwitch } from './keys-switch.tsx';
import { helpMessages, shortcutMessages } from './messages.ts';

const everywhere: readonly Shortcut[] = ['palette', 'search', 'help'];
const study: readonly Shortcut[] = ['timer', 'other', 'earlier', 'focus', 'record'];
const inbox: readonly Shortcut[] = ['next', 'previous', 'pick', 'review', 'resolve', 'account', 'note', 'undo'];

const questions = {
  user: ['forgot', 'wrong', 'on_track', 'streaks', 'importing', 'sharing', 'private'],
  admin: ['new_class', 'lost', 'attention', 'parents'],
} as const;

type Entry = readonly [what: string, keys: ReactNode];

/** All shortcuts of the user's role, generated from the shortcut tables. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function HelpPage() {
  const t = useTexts(helpMessages);
  const name = useTexts(shortcutMessages);
  const page = useTexts(frameMessages);
  const { role } = useAccount();
  const isLimited = useIsLimited();
  const { keys } = useSettings();
  const of = (ids: readonly Shortcut[]): Entry[] => ids.map((id) => [name(id), <Keys key={id} of={shortcuts[id]} />]);
  const own = (what: keyof typeof helpMessages, key: string): Entry => [t(what), <kbd key={key}>{key}</kbd>];
  const pages = navItemsOf(role, isLimited).filter(({ letter }) => letter !== undefined);
  return (
    <Page title={t('title')}>
      <div className="stack">
        <Card title={t('questions')}>
          {questions[role].map((question) => (
            <details key={question} className={styles.question}>
              <summary>{t(question)}</summary>
              <p>{t(`${question}_answer`)}</p>
            </details>
          ))}
        </Card>
        <Card>
          <p>
            <Link href={href('accessibility')}>{t('accessibility')}</Link> ·{' '}
            <Link href={href('privacy')}>{t('privacy')}</Link>
          </p>
        </Card>
        <Card title={t('keys')} className={styles.keyboard}>
          <KeysSwitch />
          {!keys && <Notice kind="success">{t('off', { keys: keyNames(shortcuts.palette).join(' ') })}</Notice>}
        </Card>
        <div className={cx(styles.columns, styles.keyboard)}>
          <List title={t('everywhere')} entries={of(everywhere)} />
          {role === 'user' && <List title={t('study')} entries={of(study)} />}
          {role === 'admin' && !isLimited && <List title={t('inbox')} entries={of(inbox)} />}
          <List
            title={t('go')}
            entries={pages.map((item) => [
              page(item.text ?? item.name),
              <Keys key={item.name} of={`g ${item.letter}`} />,
            ])}
          />
          {role === 'user' ? (
            <List
              title={t('calendar')}
              entries={[own('move', t('arrows')), own('range', t('shift_arrows')), own('open_day', t('enter'))]}
            />
          ) : (
            <List
              title={t('board')}
              entries={[
                own('move', t('arrows')),
                own('toggle', t('space')),
                own('range', t('shift_arrows')),
                [t('all'), <Keys key="all" of="mod a" />],
                [t('undo'), <Keys key="undo" of="mod z" />],
              ]}
            />
          )}
        </div>
      </div>
    </Page>
  );
}

function List({ title, entries }: { title: string; entries: readonly Entry[] }) {
  return (
    <Card title={title}>
      <dl className={styles.list}>
        {entries.map(([what, keys]) => (
          <Fragment key={what}>
            <dt>{what}</dt>
            <dd>{keys}</dd>
          </Fragment>
        ))}
      </dl>
    </Card>
  );
}
