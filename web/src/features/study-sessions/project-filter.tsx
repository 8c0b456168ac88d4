import { Search } from 'lucide-react';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { type Part, secondsOf } from '../../lib/study-days.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { recordMessages } from './messages.ts';
import styles from './project-filter.module.css';

type Props = {
  /** Undefined while they are loaded. */
  parts: readonly Part[] | undefined;
  colorOf: (projectId: number) => number;
  chosen: number | undefined;
  onChoose: (projectId: number | undefined) => void;
  onSearch: () => void;
};

/** As many as have room in one row; the others are in a menu. */
const maxChips = 5;

/** The projects of the shown days: legend, totals and filter in one. */
export function ProjectFilter({ parts, colorOf, chosen, onChoose, onSearch }: Props) {
  const t = useTexts(recordMessages);
  const { duration } = useFormats('UTC');
  const rest = parts?.slice(maxChips) ?? [];
  // A project chosen in the menu comes first, where phones show it without scrolling.
  const taken = rest.find(({ id }) => id === chosen);
  const shown = taken === undefined ? parts?.slice(0, maxChips) : [taken, ...(parts ?? []).slice(0, maxChips - 1)];
  const others = parts?.filter((part) => shown?.includes(part) !== true) ?? [];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line everywhere
    <div role="group" aria-label={t('projects')} className={cx(styles.filters, 'no-print')}>
      <div className={cx('scroll-row', styles.chips)}>
        <button type="button" aria-pressed={chosen === undefined} onClick={() => onChoose(undefined)}>
          <span className={cx(styles.filterName)}>{t('all_projects')}</span>{' '}
          {parts !== undefined && <small className={cx(styles.filterHours)}>{duration(secondsOf(parts))}</small>}
        </button>
        {shown?.map(({ id, name, seconds }) => (
          <button
            key={id}
            type="button"
            data-hue={colorOf(id)}
            aria-pressed={chosen === id}
            onClick={() => onChoose(chosen === id ? undefined : id)}
          >
            <span className="tab" />
            <span className={cx(styles.filterName)}>{name}</span>{' '}
            <small className={cx(styles.filterHours)}>{duration(seconds)}</small>
          </button>
        ))}
      </div>
      {others.length > 0 && (
        <Menu
          trigger={{ 'aria-label': t('more_projects', { count: others.length }), children: `+${others.length}` }}
          label={t('projects')}
          entries={others.map(({ id, name, seconds }) => ({
            id: `${id}`,
            text: `${name} · ${duration(seconds)}`,
            icon: <span className="tab" data-hue={colorOf(id)} />,
          }))}
          onAction={(id) => onChoose(Number(id))}
        />
      )}
      <Button look="quiet" aria-label={t('search')} icon={<Search size={16} />} onPress={onSearch} />
    </div>
  );
}
