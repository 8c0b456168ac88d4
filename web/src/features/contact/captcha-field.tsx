import { RefreshCw, Volume2 } from 'lucide-react';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/notice.tsx';
import styles from './contact.module.css';
import { contactMessages } from './messages.ts';
import type { useCaptcha } from './use-captcha.ts';

type Props = {
  source: ReturnType<typeof useCaptcha>;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
};

/** The captcha, as a picture or as speech. */
export function CaptchaField({ source, value, onChange, error }: Props) {
  const t = useTexts(contactMessages);
  const { captcha, renew, listen } = source;
  return (
    <div className={styles.captcha}>
      <Problem error={source.error} />
      <p role="status" className={styles.hint}>
        {captcha?.speech !== undefined && t('spoken')}
      </p>
      <Field
        label={t('characters')}
        value={value}
        onChange={onChange}
        autoComplete="off"
        maxLength={16}
        error={error}
        before={
          <div className={styles.picture}>
            {captcha?.speech === undefined ? (
              <img src={captcha?.image} alt={t('picture')} width="132" height="44" />
            ) : (
              // biome-ignore lint/a11y/useMediaCaption: captions would reveal the answer
              <audio src={captcha.speech} controls autoPlay aria-label={t('speech')} />
            )}
            <Button
              look="tonal"
              aria-label={t('new_picture')}
              title={t('new_picture')}
              icon={<RefreshCw size={18} />}
              onPress={() => void renew()}
            />
            <Button
              look="tonal"
              aria-label={t('listen')}
              title={t('listen')}
              icon={<Volume2 size={18} />}
              onPress={() => void listen()}
            />
          </div>
        }
      />
    </div>
  );
}
