import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { toast } from '../../ui/toast.tsx';
import { question } from '../timer/preset.ts';
import { isEarned, useAwards } from './awards-queries.ts';
import { awardMessages } from './messages.ts';

/** Says when an award is earned while the application is open. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function AwardMoment() {
  const t = useTexts(awardMessages);
  const [, navigate] = useLocation();
  const { data } = useAwards();
  const known = useRef<ReadonlySet<number>>(undefined);
  const isAsking = question.use(); // an award of a timer that is discarded is taken back
  useEffect(() => {
    if (data === undefined || isAsking) return;
    const earned = data.filter(isEarned);
    const { current: before } = known;
    known.current = new Set(earned.map(({ id }) => id));
    for (const { id, name } of earned)
      if (before !== undefined && !before.has(id))
        toast({ text: t('earned_now', { name }), action: { text: t('show'), run: () => navigate(href('awards')) } });
  }, [data, isAsking, t, navigate]);
  return null;
}
