import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SecretText } from '../account/secret-text.tsx';
import { invitationMessages } from './invitation-messages.ts';
import { OneTimePasswords } from './one-time-passwords.tsx';
import type { CreatedUser, SentLink } from './user-queries.ts';

/** The one-time password or link for a new account's owner. */
export function Handover({ created, onClose }: { created: CreatedUser; onClose: () => void }) {
  const { link_mailed, link } = created;
  if (link_mailed === undefined) return <OneTimePasswords entries={[created]} onClose={onClose} />;
  return <LinkHandover sent={{ link_mailed, ...(link !== undefined && { link }) }} onClose={onClose} />;
}

/** A link that was mailed, or that the administrator must hand over because there is no mail server. */
export function LinkHandover({ sent, onClose }: { sent: SentLink; onClose: () => void }) {
  const t = useTexts(invitationMessages);
  return (
    <div className="stack">
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
