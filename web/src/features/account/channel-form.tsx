import { useQuery } from '@tanstack/react-query';
import { Lock, Send } from 'lucide-react';
import { useState } from 'react';
import { api, type Schemas } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';
import { commonMessages } from '../../lib/messages.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Field, type FieldProps } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import styles from './account.module.css';
import { reminderMessages } from './reminder-messages.ts';

export type Channel = Schemas['Channel'];
type Kind = Channel['kind'];
const kinds: readonly Kind[] = ['ntfy', 'feishu', 'dingtalk', 'wecom', 'url'];
export const channelPath = '/api/me/channel';

/** Null if there is none. */
export const useChannel = () =>
  useQuery({
    queryKey: ['channel'],
    queryFn: async ({ signal }) => (await api.get(channelPath, { signal })).data,
  });

/** Where messages go beside mail. It is saved as a whole, because a test may come first. */
export function ChannelForm({ channel }: { channel: Channel | null }) {
  const t = useTexts(reminderMessages);
  const common = useTexts(commonMessages);
  const [kind, setKind] = useState<Kind | 'none'>(channel?.kind ?? 'none');
  const saved = channel !== null && channel.kind === kind ? channel : undefined;
  // Undefined: what is saved is kept.
  const [url, setUrl] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const [keyword, setKeyword] = useState(channel?.keyword ?? '');
  // A robot of Feishu or DingTalk may require both a signature and a word.
  const isRobot = kind === 'feishu' || kind === 'dingtalk';

  const destination = (chosen: Kind) => ({
    kind: chosen,
    ...(url !== undefined && { url: url.trim() }),
    ...(secret !== undefined && { secret: secret === '' ? null : secret }),
    keyword: isRobot && keyword.trim() !== '' ? keyword.trim() : null,
  });
  const save = useAction(async () => {
    if (kind === 'none') {
      if (channel !== null) await api.delete(channelPath, {});
      toast({ text: t('removed') });
    } else {
      await api.put(channelPath, { body: destination(kind), ifMatch: false });
      setUrl(undefined);
      setSecret(undefined);
      toast({ text: t(channel === null ? 'added' : 'saved') });
    }
    await changed('channel');
  });
  const [result, setResult] = useState<Awaited<ReturnType<typeof sendTest>>>();
  const test = useAction(async () => {
    setResult(undefined);
    if (kind !== 'none') setResult(await sendTest(destination(kind)));
  });
  const error = save.error ?? test.error;
  return (
    <Form className="stack" onSave={() => save.run()}>
      <Problem error={error} besides={['url', 'secret', 'keyword']} />
      {channel?.error_code != null && <Notice kind="error">{t('last_failed', { code: channel.error_code })}</Notice>}
      <ViewSwitch<Kind | 'none'>
        label={t('kind')}
        value={kind}
        onChange={setKind}
        options={[['none', t('none')], ...kinds.map((one) => [one, t(one)] as const)]}
      />
      {kind !== 'none' && (
        <>
          <SecretField
            label={t('address')}
            saved={saved?.address}
            value={url}
            onChange={setUrl}
            inputMode="url"
            maxLength={1000}
            hint={t(`where_${kind}`)}
            error={fieldProblem(error, 'url')}
          />
          {kind !== 'wecom' && (
            <SecretField
              label={t(kind === 'ntfy' ? 'token' : 'secret')}
              saved={saved?.has_secret === true ? '••••••••••••' : undefined}
              value={secret}
              onChange={setSecret}
              maxLength={200}
              error={fieldProblem(error, 'secret')}
            />
          )}
          {isRobot && (
            <Field
              label={t('keyword')}
              value={keyword}
              onChange={setKeyword}
              maxLength={50}
              hint={t('keyword_hint')}
              error={fieldProblem(error, 'keyword')}
            />
          )}
          <div className={styles.status}>
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
      {(kind !== 'none' || channel !== null) && (
        <div className="buttons">
          <Button type="submit" look="primary" isPending={save.isRunning}>
            {kind === 'none' ? t('remove') : common('save')}
          </Button>
          {kind !== 'none' && (
            <Button icon={<Send size={16} />} isPending={test.isRunning} onPress={() => void test.run()}>
              {t('test')}
            </Button>
          )}
        </div>
      )}
      {kind !== 'none' && <p className={styles.hint}>{t('about')}</p>}
    </Form>
  );
}

type SecretProps = Omit<FieldProps, 'value' | 'onChange'> & {
  saved: string | undefined;
  value: string | undefined;
  onChange: (value: string) => void;
};

/** What is saved is shown in part only, until it is to be replaced. */
function SecretField({ saved, value, onChange, ...field }: SecretProps) {
  const t = useTexts(reminderMessages);
  if (saved === undefined || value !== undefined)
    return (
      <Field {...field} value={value ?? ''} onChange={onChange} autoComplete="off" autoFocus={saved !== undefined} />
    );
  return (
    <Field
      key="saved"
      {...field}
      value={saved}
      isReadOnly
      icon={<Lock size={16} />}
      inside={
        <Button
          look="quiet"
          isSmall
          aria-label={t('replace_what', { what: field.label ?? '' })}
          onPress={() => onChange('')}
        >
          {t('replace')}
        </Button>
      }
    />
  );
}

async function sendTest(body: { kind: Kind; url?: string; secret?: string | null; keyword: string | null }) {
  return (await api.post('/api/me/channel/test', { body })).data;
}
