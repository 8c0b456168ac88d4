import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import rows from '../../ui/rows.module.css';
import { accountMessages } from './messages.ts';

/** The user's sign-ins; each except the current one can be ended. */
export function SignIns() {
  const t = useTexts(accountMessages);
  const formats = useOwnFormats();
  const read = useQuery({
    queryKey: ['sign-ins'],
    queryFn: async ({ signal }) => (await api.get('/api/auth/sign-ins', { signal })).data,
  });
  const { data } = read;
  const end = useAction(async (id: string) => {
    await api.delete('/api/auth/sign-ins/{id}', { params: { id } });
    await changed('sign-ins');
  });
  const others = data?.filter(({ current }) => !current) ?? [];
  const endOthers = useAction(async () => {
    await api.delete('/api/auth/sign-ins');
    await changed('sign-ins');
  });
  const failure = end.error ?? endOthers.error;
  return (
    <Card
      title={t('sign_ins')}
      actions={
        others.length > 0 ? (
          <Button isPending={endOthers.isRunning} onPress={() => void endOthers.run()}>
            {t('end_others')}
          </Button>
        ) : undefined
      }
    >
      <p role="status">{endOthers.isDone && others.length === 0 && t('ended_others')}</p>
      <Problem error={failure} />
      <Loading of={read} />
      <ul className={rows.rows}>
        {data?.map(({ id, device, address, last_used_at, current }) => {
          const name = describeDevice(device) ?? t('unknown_device');
          return (
            <li key={id}>
              <span>
                {name} {current && <strong>({t('this_one')})</strong>}
                <small>{t('last_used', { time: formats.dateTime(last_used_at), address })}</small>
              </span>
              {!current && (
                <Button aria-label={t('end_named', { device: name })} onPress={() => void end.run(id)}>
                  {t('end')}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

const browsers = [/Edg\//, /OPR\//, /Firefox\//, /Chrome\//, /Safari\//];
const browserNames = ['Edge', 'Opera', 'Firefox', 'Chrome', 'Safari'];
const systems = [/Android/, /iPhone|iPad/, /Windows/, /Mac OS X/, /Linux/];
const systemNames = ['Android', 'iOS', 'Windows', 'macOS', 'Linux'];

/** Browser and system of a User-Agent, such as "Firefox, Linux"; of other programs the start of the User-Agent. */
function describeDevice(agent: string): string | undefined {
  const browser = browserNames[browsers.findIndex((pattern) => pattern.test(agent))];
  const system = systemNames[systems.findIndex((pattern) => pattern.test(agent))];
  const known = [browser, system].filter((name) => name !== undefined).join(', ');
  return known !== '' ? known : agent.slice(0, 60) || undefined;
}
