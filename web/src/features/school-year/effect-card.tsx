import { CircleCheck, PencilLine } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import chip from '../../ui/chip.module.css';
import { Card, Skeleton } from '../../ui/page.tsx';
import styles from './effect-card.module.css';
import { Changes, type Computed, EffectChanges } from './effect-changes.tsx';
import { effectMessages } from './effect-messages.ts';
import {
  type Draft,
  type Effect,
  type EntryFields,
  type SavedDays,
  useEffectOf,
  useEffectOfDeletion,
} from './school-year-queries.ts';

/** What days would change that are in the form and not saved yet. */
export function EffectCard({ draft: { name, id, from, to, kind, group_id } }: { draft: Draft }) {
  const dates = useMemo(() => ({ id, from, to, kind, group_id }), [id, from, to, kind, group_id]);
  const settled = useDebounced(dates, 400);
  const { data, error } = useEffectOf(settled);
  return (
    <EffectPanel
      effect={data}
      error={error}
      isCurrent={settled === dates}
      isEmpty={from === ''}
      about={from !== '' && <Entry name={name} from={from} to={to} />}
    />
  );
}

/** What would change, before it is saved. */
export function EffectPanel({ about, ...computed }: Computed & { about?: ReactNode }) {
  const t = useTexts(effectMessages);
  return (
    <Card title={t('title')} actions={about === undefined && <NotSaved />}>
      {about !== undefined && (
        <p className={styles.about}>
          {about}
          <NotSaved />
        </p>
      )}
      <EffectChanges {...computed} />
    </Card>
  );
}

/** What days have changed that were saved on this page. */
export function SavedCard({ saved }: { saved: SavedDays }) {
  const { name, from, to, at, deleted } = saved;
  const t = useTexts(effectMessages);
  const { time } = useOwnFormats();
  return (
    <Card>
      <p className={styles.about} role="status">
        <Entry name={name} from={from} to={to} />
        <span className={cx(chip.chip, chip.good)}>
          <CircleCheck size={14} />
          {t(deleted ? 'removed' : 'saved', { time: time(at) })}
        </span>
      </p>
      <div className="stack-12">
        {deleted ? <ChangesOfDeletion key={at} deleted={deleted} at={at} /> : <SavedChanges effect={saved.effect} />}
      </div>
    </Card>
  );
}

function ChangesOfDeletion({ deleted, at }: { deleted: EntryFields; at: string }) {
  const t = useTexts(effectMessages);
  const { data, isPending } = useEffectOfDeletion(deleted, at);
  return isPending ? <Skeleton label={t('loading')} lines={4} /> : <SavedChanges effect={data} />;
}

function SavedChanges({ effect }: { effect: Effect | undefined }) {
  const t = useTexts(effectMessages);
  return effect === undefined ? <p className="note">{t('counted')}</p> : <Changes effect={effect} isSaved />;
}

function Entry({ name, from, to }: Pick<SavedDays, 'name' | 'from' | 'to'>) {
  const t = useTexts(effectMessages);
  const { dayRange } = useFormats('UTC'); // days have no time
  if (from === '') return <b>{name}</b>;
  const dates = dayRange(from, to);
  return <b>{name.trim() === '' ? dates : t('entry', { name: name.trim(), dates })}</b>;
}

export function NotSaved() {
  const t = useTexts(effectMessages);
  return (
    <span className={cx(chip.chip, chip.warn)}>
      <PencilLine size={14} />
      {t('not_saved')}
    </span>
  );
}
