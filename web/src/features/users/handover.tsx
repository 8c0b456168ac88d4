import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SecretText } from '../account/secret-text.tsx';
import { invitationMessages } from './invitation-messages.ts';
import { OneTimePasswords } from './one-time-passwords.tsx';
import type { CreatedUser, SentLink } from './user-queries.ts';
import styles from './users.module.css';

/** How the owner of a new account gets into it: a password to hand out, or a link. */
export function Handover({ given, onClose }: { given: CreatedUser; onClose: () => void }) {
  const { link_mailed, link } = given;
  if (link_mailed === undefined) return <OneTimePasswords entries={[given]} onClose={onClose} />;
  return <LinkHandover sent={{ link_mailed, ...(link !== undefined && { link }) }} {...{ onClose }} />;
}

/** A link that was mailed, or that the administrator hands over because there is no mail server. */
export function LinkHandover({ sent, onClose }: { sent: SentLink; onClose: () => void }) {
  const t = useTexts(invitationMessages);
  return (
    <div className={styles.form}>
      {sent.link === undefined ? (
        <Notice kind="success">{t(sent.link_mailed ? 'mailed' : 'link_used_up')}</Notice>
      ) : (
        <Notice kind="success">
          {t('hand_over')}
          <SecretText label={t('the_link')} value={sent.link} />
        </Notice>
      )}
      <div>
        <Button look="primary" onPress={onClose}>
          {t('done')}
        </Button>
      </div>
    </div>
  );
}
