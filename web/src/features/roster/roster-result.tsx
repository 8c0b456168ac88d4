import { useState } from 'react';
import { useMarks } from '../../lib/marks.ts';
import { useTexts } from '../../lib/texts.ts';
import { Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Progress } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { rosterMessages } from './messages.ts';
import styles from './roster.module.css';
import { RosterChanges, RosterErrors } from './roster-changes.tsx';
import { isRunning, type Kind, kinds, type Roster, useRoster } from './roster-queries.ts';

/** The difference or the result of a roster, with its progress until then. */
export function RosterResult({ id }: { id: number }) {
  const t = useTexts(rosterMessages);
  const [kind, setKind] = useState<Kind>();
  const [page, setPage] = useState(1);
  const found = useRoster(id, kind, page);
  const roster = found?.roster;
  function choose(name: string): void {
    setKind(kinds.find((one) => one === name));
    setPage(1);
  }
  if (found === undefined || roster === undefined || isRunning(roster)) return <Running roster={roster} />;
  const { dry_run, counts, errors, errors_count } = roster;
  const shown = kinds.filter((name) => (name === 'problem' ? roster.problems : (counts?.[name] ?? 0)) > 0);
  const isUnchanged = shown.length === 0 && errors_count === 0;
  return (
    <Card title={t(dry_run ? 'difference' : 'result')}>
      <div className={styles.content}>
        <Outcome roster={roster} />
        <Columns roster={roster} />
        {errors_count > 0 && <RosterErrors errors={errors} />}
        <Counts roster={roster} />
        {isUnchanged && <p>{t('none')}</p>}
        {shown.length > 1 && (
          <Select
            label={t('show')}
            value={kind ?? 'all'}
            onChange={choose}
            options={['all' as const, ...shown].map((name) => [name, t(name)])}
          />
        )}
        {found.changes.length > 0 && <RosterChanges changes={found.changes} />}
        <Pager label={t('title')} page={page} pages={found.pagination.pages} onChange={setPage} />
      </div>
    </Card>
  );
}

function Running({ roster }: { roster: Roster | undefined }) {
  const t = useTexts(rosterMessages);
  const total = roster?.counts === null ? 0 : (roster?.rows ?? 0) + (roster?.counts.missing ?? 0);
  const percent = total === 0 ? 0 : (100 * (roster?.processed ?? 0)) / total;
  return (
    <div role="status" className={styles.content}>
      {t(roster?.state === 'writing' ? 'applying' : 'comparing')}
      <Progress percent={percent} label={t('progress')} />
    </div>
  );
}

function Outcome({ roster: { state, dry_run, errors_count, problems, processed, rows, error } }: { roster: Roster }) {
  const t = useTexts(rosterMessages);
  return (
    <>
      {errors_count > 0 && <Notice kind="error">{t('errors', { count: errors_count })}</Notice>}
      {state === 'done' && !dry_run && <Notice kind="success">{t('done')}</Notice>}
      {state === 'stopped' && (
        <Notice kind="error">
          {t('stopped', { processed, rows })} {error?.message}
        </Notice>
      )}
      {state === 'failed' && error !== null && <Notice kind="error">{error.message}</Notice>}
      {problems > 0 && <Notice kind="error">{t('problems', { count: problems })}</Notice>}
    </>
  );
}

/** What the file has and the service does not read would otherwise be missed later. */
function Columns({ roster: { columns, unread_columns } }: { roster: Roster }) {
  const t = useTexts(rosterMessages);
  const marks = useMarks();
  if (columns.length === 0) return null;
  const names = columns.map(({ column }) => column);
  return (
    <div className="muted">
      <p>{t('columns_read', { names: marks.list(names) })}</p>
      {unread_columns.length > 0 && <p>{t('columns_unread', { names: marks.list(unread_columns) })}</p>}
    </div>
  );
}

function Counts({ roster: { counts } }: { roster: Roster }) {
  const t = useTexts(rosterMessages);
  const marks = useMarks();
  if (counts === null) return null;
  const names = counts.new_groups;
  return (
    <>
      <dl className={styles.counts}>
        {(['new', 'changed', 'moved', 'missing'] as const).map((name) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{counts[name]}</dd>
          </div>
        ))}
      </dl>
      {names.length > 0 && (
        <p className="muted">{t('new_groups', { count: names.length, names: marks.list(names) })}</p>
      )}
      {counts.without_groups !== undefined && counts.without_groups > 0 && (
        <p className="muted">{t('without_groups', { count: counts.without_groups })}</p>
      )}
    </>
  );
}
