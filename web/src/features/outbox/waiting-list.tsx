import type { Formats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { type Entry, outbox, useOutbox } from '../../lib/outbox/outbox.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { type Translate, useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { outboxMessages } from './messages.ts';
import styles from './outbox.module.css';

/** The unsent entries, each with its status. */
export function WaitingList() {
  const t = useTexts(outboxMessages);
  const marks = useMarks();
  const formats = useOwnFormats();
  return (
    <ul className={`stack-8 lines ${styles.list}`} aria-label={t('list')}>
      {useOutbox().map((entry) => {
        const { key, project_name, started_at, note, refused } = entry;
        const when = marks.at(formats.day(started_at), describe(entry, formats, t));
        const what = marks.facts([project_name, when]);
        return (
          <li key={key}>
            <span>
              <strong>{project_name}</strong> {when}
              {note !== '' && ` · ${note}`}
              <small className={refused === undefined ? '' : styles.refused}>{refused ?? t('state_waiting')}</small>
            </span>
            {refused !== undefined && (
              <span className="buttons">
                <Button aria-label={t('retry_named', { what })} onPress={() => void outbox.retry(key)}>
                  {t('retry')}
                </Button>
                <Button look="danger" aria-label={t('discard_named', { what })} onPress={() => outbox.discard(key)}>
                  {t('discard')}
                </Button>
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function describe(entry: Entry, formats: Formats, t: Translate<typeof outboxMessages>): string {
  const from = formats.time(entry.started_at);
  if (entry.ended_at !== undefined) return t('times', { from, to: formats.time(entry.ended_at) });
  return t('start', { from });
}
