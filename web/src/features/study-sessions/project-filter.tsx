import { Search } from 'lucide-react';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { type Part, secondsOf } from '../../lib/study-days.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import styles from './calendar.module.css';
import { recordMessages } from './messages.ts';

type Props = {
  /** Undefined while they are loaded. */
  parts: readonly Part[] | undefined;
  colorOf: (projectId: number) => number;
  chosen: number | undefined;
  onChoose: (projectId: number | undefined) => void;
  onSearch: () => void;
};

/** The projects of the shown days: legend, totals and filter in one. */
export function ProjectFilter({ parts, colorOf, chosen, onChoose, onSearch }: Props) {
  const t = useTexts(recordMessages);
  const { duration } = useFormats('UTC');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line everywhere
    <div role="group" aria-label={t('projects')} className={cx(styles.filters, 'no-print')}>
      <button type="button" aria-pressed={chosen === undefined} onClick={() => onChoose(undefined)}>
        {t('all_projects')}{' '}
        {parts !== undefined && <small className={cx(styles.filterHours)}>{duration(secondsOf(parts))}</small>}
      </button>
      {parts?.map(({ id, name, seconds }) => (
        <button
          key={id}
          type="button"
          data-hue={colorOf(id)}
          aria-pressed={chosen === id}
          onClick={() => onChoose(chosen === id ? undefined : id)}
        >
          <span className={cx(styles.tab)} />
          <span className={cx(styles.filterName)}>{name}</span>{' '}
          <small className={cx(styles.filterHours)}>{duration(seconds)}</small>
        </button>
      ))}
      <Button look="quiet" aria-label={t('search')} icon={<Search size={16} />} onPress={onSearch} />
    </div>
  );
}
