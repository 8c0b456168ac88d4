import { ChevronsUpDown } from 'lucide-react';
import { cx } from '../lib/cx.ts';
import { hueOf } from '../lib/hue.ts';
import styles from './person.module.css';

/** The first letters of the first and last word; of a Chinese name its first character. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = [...(words[0] ?? '')];
  if (/\p{Script=Han}/u.test(first[0] ?? '')) return first[0] ?? '';
  const last = words.length > 1 ? [...(words.at(-1) ?? '')] : [];
  return [first[0], last[0]].join('').toUpperCase();
}

/** A person's initials in a circle. */
export function Avatar({ id, name, size }: { id: number; name: string; size?: 'small' | 'large' }) {
  return (
    <span className={cx(styles.avatar, size && styles[size])} data-hue={hueOf(id)} aria-hidden="true">
      {initials(name)}
    </span>
  );
}

/** A person's initials in a circle, with the name. */
export function Person({ id, name, detail }: { id: number; name: string; detail: string }) {
  return (
    <>
      <Avatar id={id} name={name} />
      <span className={styles.name}>
        <span>{name}</span>
        <small>{detail}</small>
      </span>
      <ChevronsUpDown size={16} />
    </>
  );
}
