import { useEffect, useState } from 'react';
import { api } from '../lib/api.ts';
import { cx } from '../lib/cx.ts';
import { changed } from '../lib/freshness.ts';
import { session, useAccount, useSession } from '../lib/session.ts';
import { useSettings } from '../lib/settings.ts';
import { deviceStorage } from '../lib/storage.ts';
import { useTexts } from '../lib/texts.ts';
import { useAction } from '../lib/use-action.ts';
import { deviceZone, isSameTime, zoneName } from '../lib/zone.ts';
import { Button } from '../ui/button.tsx';
import { frameMessages } from './messages.ts';
import styles from './zone-notice.module.css';

/** A zone that was kept is not asked about again on this device. */
const key = 'studytrack.kept-zone';

async function setZone(timezone: string): Promise<void> {
  session.update((await api.put('/api/auth/me', { body: { timezone }, ifMatch: false })).data);
  await changed('stats', 'sessions', 'projects');
}

/** Adopts the time zone of the device for an account that never chose one, and offers it when the two differ. */
export function ZoneNotice() {
  const t = useTexts(frameMessages);
  const { locale } = useSettings();
  const { state } = useSession();
  const { timezone, timezone_chosen } = useAccount();
  const pair = `${timezone} ${deviceZone}`;
  const [kept, setKept] = useState(() => deviceStorage.read(key));
  const use = useAction(() => setZone(deviceZone));
  useEffect(() => {
    if (state === 'in' && !timezone_chosen) void setZone(deviceZone).catch(() => undefined); // offered the next time
  }, [state, timezone_chosen]);
  if (state !== 'in' || !timezone_chosen || kept === pair || isSameTime(timezone, deviceZone)) return null;

  function keep(): void {
    setKept(pair);
    deviceStorage.write(key, pair);
  }
  return (
    <div className={cx(styles.zone, 'no-print')}>
      <p role="status">
        {spaced(t('zone_differs', { zone: zoneName(timezone, locale), device: zoneName(deviceZone, locale) }))}
      </p>
      <Button look="plain" isPending={use.isRunning} onPress={() => void use.run()}>
        {spaced(t('zone_use', { device: zoneName(deviceZone, locale) }))}
      </Button>
      <Button look="quiet" onPress={keep}>
        {t('zone_keep')}
      </Button>
    </div>
  );
}

/** Zones without a Chinese name are shown as GMT-02:00, with spaces between these letters and Chinese characters. */
const spaced = (text: string): string =>
  text.replace(/(?<=\p{Script=Han})(?=[A-Za-z])|(?<=[A-Za-z\d])(?=\p{Script=Han})/gu, ' ');
