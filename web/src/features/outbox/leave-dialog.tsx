import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { outboxMessages } from './messages.ts';
import { WaitingList } from './waiting-list.tsx';

type Props = { onStay: () => void; onLeave: () => void };

/** Warns before a sign-out that discards unsent entries. */
export function LeaveDialog({ onStay, onLeave }: Props) {
  const t = useTexts(outboxMessages);
  return (
    <Dialog title={t('leave_title')} isOpen onClose={onStay}>
      <p>{t('leave_why')}</p>
      <WaitingList />
      <div className="buttons">
        <Button look="primary" onPress={onStay}>
          {t('stay')}
        </Button>
        <Button look="danger" onPress={onLeave}>
          {t('leave')}
        </Button>
      </div>
    </Dialog>
  );
}
