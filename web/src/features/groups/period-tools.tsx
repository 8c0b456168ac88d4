import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import { classMessages } from './class-messages.ts';
import { type ClassPeriod, classPeriods, useClassPeriod } from './class-period.ts';
import styles from './period-tools.module.css';

type Props = { kind: ClassPeriod; on: string; change: (changed: { period?: string; on?: string }) => void };

/** Selects the length of a period and leads to the ones before and after it. */
export function PeriodTools({ kind, on, change }: Props) {
  const t = useTexts(classMessages);
  const formats = useFormats('UTC'); // dates have no time
  const { period, isLatest, turned, term } = useClassPeriod(kind, on);
  return (
    <>
      <ViewSwitch
        label={t('period')}
        options={classPeriods.map((known) => [known, (known === 'term' && term?.name) || t(known)] as const)}
        value={kind}
        onChange={(next) => change({ period: next === 'week' ? '' : next })}
      />
      <div className={styles.turn}>
        <Button
          aria-label={t('previous_period')}
          icon={<ChevronLeft size={18} />}
          onPress={() => change({ on: turned(-1) })}
        />
        <span role="status">{formats.dayRange(period.from, period.to)}</span>
        <Button
          aria-label={t('next_period')}
          icon={<ChevronRight size={18} />}
          isDisabled={isLatest}
          onPress={() => change({ on: turned(1) })}
        />
      </div>
    </>
  );
}
