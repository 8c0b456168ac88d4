import { useMemo, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { commonMessages } from '../../lib/messages.ts';
import { fieldProblem, useProblem } from '../../lib/problem.ts';
import { useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Button } from '../../ui/button.tsx';
import table from '../../ui/data-table.module.css';
import { DropFile } from '../../ui/drop-file.tsx';
import { Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Skeleton } from '../../ui/page.tsx';
import { EffectPanel } from './effect-card.tsx';
import { ForSelect, useClassOr } from './for-select.tsx';
import { importMessages } from './import-messages.ts';
import { type CalendarEvent, type Choices, importCalendar, useCalendar } from './import-queries.ts';
import styles from './school-year.module.css';
import type { SavedDays } from './school-year-queries.ts';

type After = { onClose: () => void; onSaved: (saved: SavedDays) => void };

/** Adds days from a calendar file: what each event becomes, and what all of them change, before they are saved at once. */
export function CalendarImport(after: After) {
  const t = useTexts(importMessages);
  const common = useTexts(commonMessages);
  const { onClose } = after;
  const [file, setFile] = useState<File>();
  if (file !== undefined)
    return <Preview key={file.lastModified} file={file} onOther={() => setFile(undefined)} {...after} />;
  return (
    <Card title={t('title')} actions={<Button onPress={onClose}>{common('cancel')}</Button>}>
      <DropFile
        label={t('select')}
        drop={t('drop')}
        about={t('about')}
        accept=".ics,text/calendar"
        isDisabled={false}
        onFile={setFile}
      />
    </Card>
  );
}

type PreviewProps = After & { file: File; onOther: () => void };

function Preview({ file, onOther, onClose, onSaved }: PreviewProps) {
  const t = useTexts(importMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const isLimited = useIsLimited();
  const [chosen, setGroup] = useState<number | null>(null);
  const [choices, setChoices] = useState<Choices>({});
  const group = useClassOr(chosen);
  const draft = useMemo(() => ({ file, group, choices }), [file, group, choices]);
  const settled = useDebounced(draft, 400);
  const { data, error, isPlaceholderData } = useCalendar(settled, !isLimited || group !== null);
  const isCurrent = settled === draft && !isPlaceholderData;
  const apply = useAction(async () => {
    const effect = isCurrent ? (data?.effect ?? undefined) : undefined;
    const added = t('added', { count: await importCalendar(draft) });
    onSaved({ name: added, from: '', to: '', at: new Date().toISOString(), effect });
    onClose();
  });
  const failed = apply.error ?? error ?? undefined;
  const events = data?.events ?? [];
  const kindOf = ({ number, kind }: CalendarEvent) => (number in choices ? (choices[number] ?? null) : kind);
  const count = events.filter((event) => kindOf(event) !== null).length;
  return (
    <div className={cx(data !== undefined && styles.beside)}>
      <Card title={t('title')} isFlush actions={<Button onPress={onOther}>{t('other_file')}</Button>}>
        <div className={styles.entry}>
          {failed !== undefined && <Notice kind="error">{fieldProblem(failed, 'file') ?? problem(failed)}</Notice>}
          <div className={styles.fields}>
            <ForSelect group={group} onChange={setGroup} />
          </div>
          <div className="row">
            <span className="note">{data !== undefined && t('file', { name: file.name, count: events.length })}</span>
            <span className={styles.space} />
            <Button look="quiet" onPress={onClose}>
              {common('cancel')}
            </Button>
            <Button
              look="primary"
              isPending={apply.isRunning}
              isDisabled={count === 0}
              onPress={() => void apply.run()}
            >
              {t('add', { count })}
            </Button>
          </div>
        </div>
        {data === undefined && error === null && <Skeleton label={common('loading')} lines={6} />}
        {data !== undefined && (
          <Events
            events={events}
            kindOf={kindOf}
            onChoose={(number, kind) => setChoices({ ...choices, [number]: kind })}
          />
        )}
      </Card>
      {data !== undefined && data.effect !== null && (
        <EffectPanel effect={data.effect} error={error} isCurrent={isCurrent} />
      )}
    </div>
  );
}

type EventsProps = {
  events: readonly CalendarEvent[];
  kindOf: (event: CalendarEvent) => CalendarEvent['kind'];
  onChoose: (number: number, kind: CalendarEvent['kind']) => void;
};

function Events({ events, kindOf, onChoose }: EventsProps) {
  const t = useTexts(importMessages);
  return (
    <table className={cx(table.table, styles.events)}>
      <thead>
        <tr>
          <th>{t('event')}</th>
          <th>{t('becomes')}</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <EventRow
            key={event.number}
            event={event}
            kind={kindOf(event)}
            onChoose={(kind) => onChoose(event.number, kind)}
          />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = {
  event: CalendarEvent;
  kind: CalendarEvent['kind'];
  onChoose: (kind: CalendarEvent['kind']) => void;
};

function EventRow({ event: { number, name, from, to, left_out }, kind, onChoose }: RowProps) {
  const t = useTexts(importMessages);
  const formats = useFormats('UTC'); // days have no time
  const shownName = name === '' ? t('unnamed', { number }) : name;
  const isOpen = left_out === null || left_out === 'timed';
  return (
    <tr>
      <td>
        <div className={styles.event}>
          <b>{shownName}</b>
          <span className={table.muted}>
            {from !== null && to !== null && formats.dates(from, to)}
            {left_out === 'timed' && ` · ${t('timed')}`}
          </span>
        </div>
      </td>
      <td>
        {isOpen ? (
          <Select
            label={t('becomes_of', { name: shownName })}
            isLabelHidden
            value={kind ?? ''}
            onChange={(selected) => onChoose(kinds.find((known) => known === selected) ?? null)}
            options={[...kinds.map((known) => [known, t(known)] as const), ['', t('ignored')]]}
          />
        ) : (
          <span className={table.muted}>{t(left_out)}</span>
        )}
      </td>
    </tr>
  );
}

const kinds = ['off', 'school_day'] as const;
