import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { commonMessages } from '../../lib/messages.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Progress } from '../../ui/page.tsx';
import styles from './crop-dialog.module.css';
import { projectMessages } from './messages.ts';
import { saveCover } from './project-queries.ts';

/** The size of the cover in pixels. */
const [width, height] = [1200, 300];

type Props = { projectId: number; picture: ImageBitmap; onClose: () => void };

/** Crops a picture to the cover, by dragging or with sliders. */
export function CropDialog(props: Props) {
  const t = useTexts(projectMessages);
  return (
    <Dialog title={t('cover')} isOpen onClose={props.onClose}>
      <Crop {...props} />
    </Dialog>
  );
}

/** A component of its own, so that its effect runs when the canvas is there: a dialog shows its content after it has opened. */
function Crop({ projectId, picture, onClose }: Props) {
  const t = useTexts(projectMessages);
  const common = useTexts(commonMessages);
  const canvas = useRef<HTMLCanvasElement>(null);
  // The position within the spare width and height, from 0 to 100.
  const [part, setPart] = useState({ zoom: 100, x: 50, y: 50 });
  const [sent, setSent] = useState(0);

  const scale = (Math.max(width / picture.width, height / picture.height) * part.zoom) / 100;
  const [spareX, spareY] = [picture.width * scale - width, picture.height * scale - height];

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context == null) return;
    context.fillStyle = 'white'; // behind transparent pixels
    context.fillRect(0, 0, width, height);
    const [left, top] = [(-spareX * part.x) / 100, (-spareY * part.y) / 100];
    context.drawImage(picture, left, top, picture.width * scale, picture.height * scale);
  }, [picture, part, scale, spareX, spareY]);

  function drag({ buttons, movementX, movementY, currentTarget }: PointerEvent<HTMLCanvasElement>): void {
    if (buttons === 0) return;
    const pixels = width / currentTarget.clientWidth;
    const moved = (from: number, by: number, spare: number) =>
      spare < 1 ? from : Math.max(0, Math.min(100, from - (by * pixels * 100) / spare));
    setPart({ ...part, x: moved(part.x, movementX, spareX), y: moved(part.y, movementY, spareY) });
  }

  const save = useAction(async () => {
    const cut = await new Promise<Blob | null>((resolve) => canvas.current?.toBlob(resolve, 'image/jpeg', 0.9));
    if (cut === null) throw new Error('could not encode the picture');
    await saveCover(projectId, cut, setSent);
    onClose();
  });

  const sliders = [
    ['zoom', 'zoom', 100, 400],
    ['x', 'left_right', 0, 100],
    ['y', 'up_down', 0, 100],
  ] as const;
  return (
    <>
      <canvas
        ref={canvas}
        width={width}
        height={height}
        role="img"
        aria-label={t('cover_preview')}
        className={styles.crop}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
      />
      <p className="note">{t('cover_hint')}</p>
      {sliders.map(([name, label, min, max]) => (
        <label key={name} className={styles.slider}>
          {t(label)}
          <input
            type="range"
            min={min}
            max={max}
            value={part[name]}
            onChange={({ target }) => setPart({ ...part, [name]: Number(target.value) })}
          />
        </label>
      ))}
      {save.isRunning && <Progress percent={sent * 100} label={t('cover_upload')} />}
      <Problem error={save.error} />
      <div className="buttons">
        <Button look="primary" isPending={save.isRunning} onPress={() => void save.run()}>
          {common('save')}
        </Button>
        <Button onPress={onClose}>{common('cancel')}</Button>
      </div>
    </>
  );
}
