import { createContext, useContext } from 'react';
import { optional } from '../../lib/loadable.tsx';
import { useTexts } from '../../lib/texts.ts';
import { Explain } from '../../ui/explain.tsx';
import type { CountedFigure } from './counting-rules.tsx';

const CountingRules = optional(() => import('./counting-rules.tsx'));
const messages = { ask: { en: 'How is this counted: {figure}', zh: '如何计算：{figure}' } } as const;

/** Whether the figures are another user's: the rules would show the reader's own time zone and days. */
export const IsOtherUser = createContext(false);

/** Explains how a figure is counted. `name`: the figure's name on the page. */
export function HowCounted({ figure, name }: { figure: CountedFigure; name: string }) {
  const t = useTexts(messages);
  if (useContext(IsOtherUser)) return null;
  return (
    <Explain label={t('ask', { figure: name })} title={name}>
      <CountingRules figure={figure} />
    </Explain>
  );
}
