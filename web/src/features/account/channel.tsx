import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { api, type Schemas } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';
import { commonMessages } from '../../lib/messages.ts';
import { areFieldErrors, fieldProblem, useProblem } from '../../lib/problem.ts';
import { useAccount, useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './account.module.css';
import { channelMessages } from './channel-messages.ts';
import { reminderHours } from './mails.tsx';

type Channel = Schemas['Channel'];
type Kind = Channel['kind'];
const kinds: readonly Kind[] = ['ntfy', 'feishu', 'dingtalk', 'wecom', 'url'];
const path = '/api/me/channel';

/** Where messages go beside mail. */
export function ChannelCard() {
  const t = useTexts(channelMessages);
  const read = useQuery({
    queryKey: ['channel'],
    queryFn: async ({ signal }) => (await api.get(path, { signal })).data,
  });
  const { data } = read;
  return (
    <Card title={t('title')}>
      <p className={styles.hint}>{t('about')}</p>
      <Loading of={read} />
      {data !== undefined && <ChannelForm key={data?.since ?? 'none'} channel={data} />}
    </Card>
  );
}

function ChannelForm({ channel }: { channel: Channel | null }) {
  const t = useTexts(channelMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { role } = useAccount();
  const isLimited = useIsLimited();
  const [kind, setKind] = useState<Kind | 'none'>(channel?.kind ?? 'none');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [keyword, setKeyword] = useState(channel?.keyword ?? '');
  const [hour, setHour] = useState(channel?.streak_hour ?? null);
  const [weekly, setWeekly] = useState(channel?.weekly ?? false);
  const [requests, setRequests] = useState(channel?.new_requests ?? false);
  const isKept = channel !== null && channel.kind === kind;

  const destination = (chosen: Kind) => ({
    kind: chosen,
    ...(url.trim() !== '' && { url: url.trim() }),
    ...(secret !== '' && { secret }),
    keyword: keyword.trim() === '' ? null : keyword.trim(),
  });
  const save = useAction(async () => {
    if (kind === 'none') {
      if (channel !== null) await api.delete(path, {});
      toast({ text: t('removed') });
    } else {
      const body = { ...destination(kind), streak_hour: hour, weekly, new_requests: requests };
      await api.put(path, { body, ifMatch: false });
      toast({ text: t('saved') });
    }
    await changed('channel');
  });
  const [result, setResult] = useState<Awaited<ReturnType<typeof sendTest>>>();
  const test = useAction(async () => {
    setResult(undefined);
    if (kind !== 'none') setResult(await sendTest(destination(kind)));
  });
  const error = save.error ?? test.error;
  const hours = hour === null || reminderHours.includes(hour) ? reminderHours : [hour, ...reminderHours];
  return (
    <Form className={styles.form} onSave={() => save.run()}>
      {error !== undefined && !areFieldErrors(error, ['url', 'secret', 'keyword']) && (
        <Notice kind="error">{problem(error)}</Notice>
      )}
      {channel?.error_code != null && <Notice kind="error">{t('last_failed', { code: channel.error_code })}</Notice>}
      <Select
        label={t('kind')}
        value={kind}
        onChange={setKind}
        options={[['none', t('none')], ...kinds.map((one) => [one, t(one)] as const)]}
      />
      {kind !== 'none' && (
        <>
          <Field
            label={t('address')}
            value={url}
            onChange={setUrl}
            inputMode="url"
            maxLength={1000}
            hint={isKept ? t('address_kept', { address: channel.address }) : t(`where_${kind}`)}
            error={fieldProblem(error, 'url')}
          />
          {kind !== 'wecom' && (
            <Field
              label={t(kind === 'ntfy' ? 'token' : 'secret')}
              value={secret}
              onChange={setSecret}
              autoComplete="off"
              maxLength={200}
              {...(isKept && channel.has_secret && { hint: t('secret_kept') })}
              error={fieldProblem(error, 'secret')}
            />
          )}
          {(kind === 'feishu' || kind === 'dingtalk') && (
            <Field
              label={t('keyword')}
              value={keyword}
              onChange={setKeyword}
              maxLength={50}
              hint={t('keyword_hint')}
              error={fieldProblem(error, 'keyword')}
            />
          )}
          {role === 'user' && (
            <Select
              label={t('streak')}
              value={String(hour ?? '')}
              onChange={(chosen) => setHour(chosen === '' ? null : Number(chosen))}
              options={[['', t('off')], ...hours.map((at): [string, string] => [String(at), t('from', { hour: at })])]}
            />
          )}
          <Checkbox isSelected={weekly} onChange={setWeekly}>
            {t(role === 'admin' ? 'digest' : 'week')}
          </Checkbox>
          {role === 'admin' && !isLimited && (
            <Checkbox isSelected={requests} onChange={setRequests}>
              {t('requests')}
            </Checkbox>
          )}
          <Button
            icon={<Send size={16} aria-hidden="true" />}
            isPending={test.isRunning}
            onPress={() => void test.run()}
          >
            {t('test')}
          </Button>
          <div>
            {result?.arrived === true && (
              <Notice kind="success">{t('arrived', { seconds: (result.milliseconds / 1000).toFixed(1) })}</Notice>
            )}
            {result?.arrived === false && (
              <Notice kind="error">
                {t('failed', { code: result.error_code ?? '', answer: result.answer ?? '' })}
              </Notice>
            )}
          </div>
        </>
      )}
      <Button type="submit" look="primary" isPending={save.isRunning}>
        {kind === 'none' && channel !== null ? t('remove') : common('save')}
      </Button>
    </Form>
  );
}

async function sendTest(body: { kind: Kind; url?: string; secret?: string; keyword: string | null }) {
  return (await api.post('/api/me/channel/test', { body })).data;
}
