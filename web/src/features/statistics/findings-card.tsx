import { CalendarDays, TrendingDown, TrendingUp } from 'lucide-react';
import { useFormats } from '../../lib/format.ts';
import { useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { weekdayNames } from '../../lib/weekdays.ts';
import { Card } from '../../ui/page.tsx';
import { Tile } from '../projects/glyph.tsx';
import styles from './chart.module.css';
import type { Finding } from './findings.ts';
import { periodMessages } from './period-messages.ts';
import layout from './statistics.module.css';

const icons = { grew: TrendingUp, fell: TrendingDown, weekday: CalendarDays };
const hueOfWeekday = 5;

/** What stands out in the period, in sentences. */
export function FindingsCard({ findings, isRunning }: { findings: readonly Finding[]; isRunning: boolean }) {
  const t = useTexts(periodMessages);
  const { hours } = useFormats('UTC');
  const weekday = weekdayNames(useSettings().locale);

  function textsOf(finding: Finding): [title: string, text: string] {
    if (finding.kind === 'weekday')
      return [
        t('best_weekday', { weekday: weekday(finding.best) }),
        t('weekday_why', {
          hours: hours(finding.bestHours),
          quietest: weekday(finding.quietest),
          least: hours(finding.quietestHours),
        }),
      ];
    const { project, change } = finding;
    const amount = hours(Math.abs(change));
    const params = {
      project: project.project_name,
      hours: amount,
      when: t(isRunning ? 'before_so_far' : 'in_previous'),
      now: hours(project.hours),
      before: hours(project.hours - change),
    };
    return finding.kind === 'grew'
      ? [t('grew', params), t('grew_why', params)]
      : [t('fell', params), t('fell_why', params)];
  }
  return (
    <Card title={t('findings')} className={layout.findings}>
      <ul className={styles.findings}>
        {findings.map((finding) => {
          const [title, text] = textsOf(finding);
          return (
            <li key={finding.kind}>
              <Tile
                icon={icons[finding.kind]}
                hue={finding.kind === 'weekday' ? hueOfWeekday : finding.project.color}
              />
              <div>
                <h3>{title}</h3>
                <p>{text}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
