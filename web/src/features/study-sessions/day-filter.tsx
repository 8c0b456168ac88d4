import { CalendarDays, Layers, Tag } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useAccount } from '../../lib/session.ts';
import { createDays } from '../../lib/study-days.ts';
import { useTexts } from '../../lib/texts.ts';
import { fromWallTime } from '../../lib/wall-time.ts';
import { DayField } from '../../ui/day-field.tsx';
import { Select } from '../../ui/field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useActiveProjects } from '../projects/project-queries.ts';
import { tagMessages } from '../tags/messages.ts';
import { useTags } from '../tags/tag-queries.ts';
import { recordMessages } from './messages.ts';
import styles from './records.module.css';
import type { Period } from './session-queries.ts';

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** The days in the URL, and their period of time for the user, whose days may begin after midnight. */
export function useDays() {
  const [params, setParams] = useSearchParams();
  const { timezone, day_start_hour: hour } = useAccount();
  const [from = '', to = ''] = ['from', 'to']
    .map((name) => params.get(name) ?? '')
    .map((day) => (isDay(day) ? day : ''));
  const period = useMemo((): Period => {
    const begin = (day: string) => fromWallTime(`${day}T${String(hour).padStart(2, '0')}:00`, timezone);
    const [first, end] = [from === '' ? undefined : begin(from), to === '' ? undefined : begin(dayAfter(to))];
    return { ...(first !== undefined && { from: first }), ...(end !== undefined && { to: end }) };
  }, [from, to, hour, timezone]);

  function change(days: { from?: string; to?: string; project?: string; search?: string; tag?: string }): void {
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, day] of Object.entries(days)) day === '' ? next.delete(name) : next.set(name, day);
        return next;
      },
      { replace: true },
    );
  }
  const project = Number(params.get('project')) || undefined;
  const search = (params.get('search') ?? '').slice(0, 100);
  const tag = params.get('tag') ?? '';
  return {
    from,
    to,
    period,
    project,
    search,
    tag,
    isFiltered: from !== '' || to !== '' || search !== '' || tag !== '' || project !== undefined,
    change,
  };
}

/** A period, a project, a tag and a text in the note, all optional. */
export function DayFilter() {
  const t = useTexts(recordMessages);
  const { from, to, project, search, tag, change } = useDays();
  const ofTags = useTexts(tagMessages);
  const { data: tags = [] } = useTags();
  const names = tags.map(({ name }) => name);
  const { data: projects = [] } = useActiveProjects();
  const [isAsked] = useState(() => new URLSearchParams(location.search).get('search') === ''); // opened to search
  const [isChoosing, setChoosing] = useState(false);
  const { timezone, day_start_hour: hour } = useAccount();
  const today = createDays(timezone, hour).dateOf(Date.parse(outbox.now()));
  const month = `${today.slice(0, 8)}01`;
  const isKnown = !isChoosing && to === '' && ['', month].includes(from);
  const period = isKnown ? from : 'dates';
  function choose(chosen: string): void {
    setChoosing(chosen === 'dates');
    if (chosen !== 'dates') change({ from: chosen, to: '' });
  }
  return (
    <fieldset className={styles.days}>
      <legend className="visually-hidden">{t('search')}</legend>
      <SearchField label={t('search')} value={search} onChange={(text) => change({ search: text })} isFirst={isAsked} />
      <div className={cx('scroll-row', styles.pills)}>
        <Select
          label={t('period')}
          isLabelHidden
          icon={<CalendarDays size={16} />}
          value={period}
          onChange={choose}
          options={[
            ['', t('all_days')],
            [month, t('this_month')],
            ['dates', t('choose_dates')],
          ]}
        />
        <Select
          label={t('project')}
          isLabelHidden
          icon={<Layers size={16} />}
          value={`${project ?? ''}`}
          onChange={(id) => change({ project: id })}
          options={[['', t('all_projects')], ...projects.map(({ id, name }) => [`${id}`, name] as const)]}
        />
        {(tags.length > 0 || tag !== '') && (
          <Select
            label={ofTags('tag')}
            isLabelHidden
            icon={<Tag size={16} />}
            value={tag}
            onChange={(name) => change({ tag: name })}
            options={[
              ['', ofTags('all_tags')],
              ['none', ofTags('no_tag')],
              ...[...new Set(tag === '' || tag === 'none' ? names : [tag, ...names])].map(
                (name) => [name, name] as const,
              ),
            ]}
          />
        )}
      </div>
      {period === 'dates' && (
        <div className={styles.dates}>
          <DayField label={t('from')} value={from} onChange={(day) => change({ from: day })} isOptional />
          <DayField label={t('to')} value={to} onChange={(day) => change({ to: day })} isOptional />
        </div>
      )}
    </fieldset>
  );
}
