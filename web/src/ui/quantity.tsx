import styles from './quantity.module.css';

/** A measured quantity such as 2 h 32 with smaller units. */
export function Quantity({ text }: { text: string }) {
  return text.split(/(\d[\d.,:]*)/).map((part, index) =>
    /\d/.test(part) || part.trim() === '' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity
      <small key={index} className={styles.unit}>
        {part}
      </small>
    ),
  );
}
