import { useTexts } from '../../lib/texts.ts';
import { authMessages } from './messages.ts';
import styles from './poster.module.css';
import week from './poster.svg?no-inline';

/** What the application is for, with a picture of a week; decoration. */
export function Poster() {
  const t = useTexts(authMessages);
  return (
    <div className={styles.poster} aria-hidden="true">
      <p>{t('poster')}</p>
      <p>{t('poster_how')}</p>
      <img src={week} alt="" />
    </div>
  );
}
