import { Upload } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { cx } from '../lib/cx.ts';
import styles from './drop-file.module.css';

type Props = {
  label: string;
  /** That the file may also be dropped here. */
  drop: string;
  about: string;
  accept: string;
  isDisabled: boolean;
  onFile: (file: File) => void;
};

/** A file by its name or dropped here. */
export function DropFile({ label, drop, about, accept, isDisabled, onFile }: Props) {
  const [isOver, setOver] = useState(false);
  const take = (file: File | undefined) => {
    if (file !== undefined && !isDisabled) onFile(file);
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
      <Upload size={24} />
      <strong>{label}</strong>
      <span>{drop}</span>
      <input
        type="file"
        className="visually-hidden"
        accept={accept}
        aria-label={label}
        disabled={isDisabled}
        onChange={({ target }) => {
          take(target.files?.[0]);
          target.value = ''; // the same file may be chosen again
        }}
      />
      <small>{about}</small>
    </label>
  );
}
