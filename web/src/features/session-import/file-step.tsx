import { Upload } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { useTexts } from '../../lib/texts.ts';
import styles from './import.module.css';
import { importMessages } from './messages.ts';
import type { Import } from './use-import.ts';

/** A file by its name or dropped here. */
export function FileStep({ wizard: { isBusy, choose } }: { wizard: Import }) {
  const t = useTexts(importMessages);
  const [isOver, setOver] = useState(false);
  const take = (file: File | undefined) => {
    if (file !== undefined && !isBusy) void choose(file);
  };
  function drag(event: DragEvent, isInside: boolean): void {
    event.preventDefault();
    setOver(isInside);
  }
  return (
    <label
      className={cx(styles.drop, isOver && styles.over)}
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false);
        take(event.dataTransfer.files[0]);
      }}
    >
      <Upload size={24} aria-hidden="true" />
      <strong>{t('select_file')}</strong>
      <span>{t('drop')}</span>
      <input
        type="file"
        className="visually-hidden"
        accept=".csv,.tsv,.txt,.json,text/csv,text/plain,application/json"
        aria-label={t('select_file')}
        disabled={isBusy}
        onChange={({ target }) => {
          take(target.files?.[0]);
          target.value = ''; // the same file may be chosen again
        }}
      />
      <small>{t('sources')}</small>
    </label>
  );
}
