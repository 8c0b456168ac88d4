import { type KeyboardEvent, Suspense, useState } from 'react';
import { loadable } from '../lib/loadable.tsx';
import { Button } from './button.tsx';
import type { MenuWidgetProps } from './menu-widget.tsx';

export const MenuWidget = loadable(() => import('./menu-widget.tsx'));

/** A menu button. The widget is loaded on the first press. */
export function Menu(props: MenuWidgetProps) {
  const { slot: _, ...trigger } = props.trigger;
  const [isPressed, setPressed] = useState(false);
  const open = () => setPressed(true);
  const button = (
    <Button
      {...trigger}
      aria-haspopup="menu"
      aria-expanded={isPressed}
      onPress={open}
      onKeyDown={({ key }: KeyboardEvent) => key.startsWith('Arrow') && open()}
    />
  );
  return isPressed ? (
    <Suspense fallback={button}>
      <MenuWidget {...props} />
    </Suspense>
  ) : (
    button
  );
}
