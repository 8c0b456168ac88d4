import { useRef, useState } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Notice } from '../../ui/notice.tsx';
import { CropDialog } from './crop-dialog.tsx';
import { projectMessages } from './messages.ts';

/** Selects, crops and uploads a cover picture; `element` must be rendered. */
export function useCover(projectId: number) {
  const t = useTexts(projectMessages);
  const input = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<ImageBitmap>();
  const read = useAction(async (file: File | undefined) => {
    if (file !== undefined) setPicture(await createImageBitmap(file));
  });
  const element = (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('cover_file')}
        accept="image/jpeg,image/png,image/gif,image/webp"
        onChange={({ target }) => {
          void read.run(target.files?.[0]);
          target.value = ''; // the same file may be chosen again
        }}
      />
      {read.error !== undefined && <Notice kind="error">{t('cover_bad')}</Notice>}
      {picture !== undefined && (
        <CropDialog projectId={projectId} picture={picture} onClose={() => setPicture(undefined)} />
      )}
    </>
  );
  return { choose: () => input.current?.click(), element };
}
