import styles from './account.module.css';
import { Calendar } from './calendar.tsx';
import { Leaving } from './leaving.tsx';
import { PersonalExport } from './personal-export.tsx';
import { Tokens } from './tokens.tsx';

/** What few people look for on their page, loaded on its own. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function Access() {
  return (
    <div className={styles.stack}>
      <Tokens />
      <Calendar />
      <PersonalExport />
      <Leaving />
    </div>
  );
}
