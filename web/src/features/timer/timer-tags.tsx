import { Tag } from 'lucide-react';
import { useMarks } from '../../lib/marks.ts';
import { useTexts } from '../../lib/texts.ts';
import { Popup } from '../../ui/popup.tsx';
import { tagMessages } from '../tags/messages.ts';
import { TagsField } from '../tags/tags-field.tsx';
import styles from './timer-parts.module.css';
import type { Timer } from './with-pending.ts';

/** The tags of the running timer, saved at once. */
export function TimerTags({ timer, onChange }: { timer: Timer; onChange: (tags: string[]) => void }) {
  const t = useTexts(tagMessages);
  const marks = useMarks();
  const { tags = [] } = timer;
  return (
    <Popup
      label={t('tags')}
      trigger={{
        look: 'quiet',
        'aria-label': tags.length === 0 ? t('add') : `${t('tags')}${marks.colon}${marks.list(tags)}`,
        icon: <Tag size={16} strokeWidth={1.75} />,
        children: tags.length === 0 ? undefined : <span className={styles.quiet}>{tags.length}</span>,
      }}
    >
      <div className={styles.tags}>
        <TagsField tags={tags} onChange={onChange} />
      </div>
    </Popup>
  );
}
