import { useEffect, useState } from 'react';
import { api } from '../../lib/api.ts';

/** Four characters to type, as a picture or as speech. The service recognizes a spoken captcha by a cookie. */
export type Captcha = { id?: string; image?: string; speech?: string; expires: number };

/** The audio response does not include its lifetime. */
const speechMilliseconds = 300_000;

async function loadPicture(): Promise<Captcha> {
  const { data } = await api.get('/api/contact/captcha');
  return { id: data.captcha_id, image: data.image, expires: Date.now() + data.expires_in * 1000 };
}

async function loadSpeech(): Promise<Captcha> {
  const file = await api.download('/api/contact/captcha', { accept: 'audio/wav' });
  return { speech: URL.createObjectURL(file), expires: Date.now() + speechMilliseconds };
}

/** A form's captcha. The first picture may come from a draft; `onLoaded` receives each new captcha. */
export function useCaptcha(stored: Captcha | undefined, onLoaded: (captcha: Captcha) => void) {
  const [captcha, setCaptcha] = useState(stored);
  const [error, setError] = useState<unknown>();

  async function load(kind: () => Promise<Captcha>): Promise<void> {
    try {
      const loaded = await kind();
      setCaptcha(loaded);
      setError(undefined);
      onLoaded(loaded);
    } catch (failure) {
      setError(failure);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first picture is loaded without a request
  useEffect(() => {
    if (stored === undefined || stored.expires <= Date.now()) void load(loadPicture);
  }, []);
  const { speech } = captcha ?? {};
  useEffect(() => {
    if (speech === undefined) return undefined;
    return () => URL.revokeObjectURL(speech);
  }, [speech]);

  return { captcha, error, renew: () => load(loadPicture), listen: () => load(loadSpeech) };
}
