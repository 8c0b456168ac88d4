import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { Figure } from '../../ui/figure.tsx';
import { Shares } from '../../ui/shares.tsx';
import { type CountedFigure, HowCounted } from './how-counted.tsx';
import { statisticsMessages } from './messages.ts';

type Part = { key: string; label: string; hours: number };
type Props = { figure: CountedFigure; title: string; head: string; parts: readonly Part[] };

/** Shares of the total time, largest first. */
export function Portions({ figure, title, head, parts }: Props) {
  const t = useTexts(statisticsMessages);
  const formats = useFormats('UTC');
  const sorted = parts.filter(({ hours }) => hours > 0).toSorted((a, b) => b.hours - a.hours);
  const shares = sorted.map(({ key, label, hours }) => ({ key, label, value: hours, text: formats.hours(hours) }));
  return (
    <Figure
      title={title}
      head={[head, t('time')]}
      rows={shares.map(({ key, label, text }) => [key, label, text])}
      about={<HowCounted figure={figure} name={title} />}
    >
      <Shares shares={shares} />
    </Figure>
  );
}
