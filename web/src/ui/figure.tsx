import { ChartNoAxesColumn, Table2 } from 'lucide-react';
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
  /** More about the figures, beside the title. */
  context?: ReactNode;
  head: readonly string[];
  /** Shown beside the table and chart switch. */
  about?: ReactNode;
  rows: readonly (readonly [key: string, label: string, ...values: string[]])[];
  className?: string | undefined;
  children: ReactNode;
};

/** A chart that can be switched to a table, for screen readers and exact numbers. */
export function Figure({ title, context, head, rows, about, className, children }: Props) {
  const t = useTexts(figureMessages);
  const [isTable, setTable] = useState(false);
  const actions = (
    <div className={cx(styles.tools, 'no-print')}>
      {about}
      <Button
        look="quiet"
        aria-label={t(isTable ? 'chart' : 'table')}
        icon={isTable ? <ChartNoAxesColumn size={16} /> : <Table2 size={16} />}
        onPress={() => setTable(!isTable)}
      />
    </div>
  );
  return (
    <Card title={title} context={context} actions={actions} className={className}>
      {isTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label={title}>
          <table className={styles.table}>
            <thead>
              <tr>
                {head.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([key, label, ...values]) => (
                <tr key={key}>
                  <th scope="row">{label}</th>
                  {values.map((value, index) => (
                    <td key={head[index + 1]}>{value}</td>
                  ))}
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
