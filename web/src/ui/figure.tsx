import { type ReactNode, useState } from 'react';
import { cx } from '../lib/cx.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import styles from './figure.module.css';
import { Card } from './page.tsx';

const figureMessages = {
  table: { en: 'Table', zh: '表格' },
  chart: { en: 'Chart', zh: '图表' },
} as const;

type Props = {
  title: string;
  head: readonly [string, string];
  /** Shown beside the table and chart switch. */
  about?: ReactNode;
  rows: readonly (readonly [key: string, label: string, value: string])[];
  children: ReactNode;
};

/** A chart that can be switched to a table, for screen readers and exact numbers. */
export function Figure({ title, head, rows, about, children }: Props) {
  const t = useTexts(figureMessages);
  const [isTable, setTable] = useState(false);
  const actions = (
    <div className={cx(styles.tools, 'no-print')}>
      {about}
      <Button look="quiet" onPress={() => setTable(!isTable)}>
        {t(isTable ? 'chart' : 'table')}
      </Button>
    </div>
  );
  return (
    <Card title={title} actions={actions}>
      {isTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label={title}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{head[0]}</th>
                <th scope="col">{head[1]}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([key, label, value]) => (
                <tr key={key}>
                  <th scope="row">{label}</th>
                  <td>{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        children
      )}
    </Card>
  );
}
