import { Image, ImageOff } from 'lucide-react';
import { useRef, useState } from 'react';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CropDialog } from './crop-dialog.tsx';
import { projectMessages } from './messages.ts';
import { type Project, removeCover } from './project-queries.ts';
import styles from './projects.module.css';

/** The cover picture; owners and administrators change it. */
export function Cover({ project }: { project: Pick<Project, 'id' | 'image' | 'user_id'> }) {
  const t = useTexts(projectMessages);
  const problem = useProblem();
  const { id: userId, role } = useAccount();
  const input = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<ImageBitmap>();
  const remove = useAction(() => removeCover(project.id));
  const choose = useAction(async (file: File | undefined) => {
    if (file !== undefined) setPicture(await createImageBitmap(file));
  });
  const isOwn = project.user_id === userId || role === 'admin';
  return (
    <div className={styles.coverPart}>
      {project.image !== undefined && <img className={styles.banner} src={project.image} alt="" />}
      {isOwn && (
        <div className={`${styles.coverTools} no-print`}>
          <Button look="quiet" icon={<Image size={16} />} onPress={() => input.current?.click()}>
            {t(project.image === undefined ? 'cover_add' : 'cover_change')}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={t('cover_file')}
            accept="image/jpeg,image/png,image/gif,image/webp"
            onChange={({ target }) => {
              void choose.run(target.files?.[0]);
              target.value = ''; // the same file may be chosen again
            }}
          />
          {project.image !== undefined && (
            <Button
              look="quiet"
              icon={<ImageOff size={16} />}
              isPending={remove.isRunning}
              onPress={() => void remove.run()}
            >
              {t('cover_remove')}
            </Button>
          )}
        </div>
      )}
      {choose.error !== undefined && <Notice kind="error">{t('cover_bad')}</Notice>}
      {remove.error !== undefined && <Notice kind="error">{problem(remove.error)}</Notice>}
      {picture !== undefined && (
        <CropDialog projectId={project.id} picture={picture} onClose={() => setPicture(undefined)} />
      )}
    </div>
  );
}
