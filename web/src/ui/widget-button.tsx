import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { type ButtonShape, buttonClass } from './button.tsx';

export type WidgetButtonProps = ButtonShape & Pick<AriaButtonProps, 'slot' | 'aria-label' | 'autoFocus'>;

/** A button for use inside widgets of the library, which provide its action. */
export function WidgetButton({ look, icon, children, wide, ...props }: WidgetButtonProps) {
  return (
    <AriaButton {...props} className={buttonClass({ look, children, wide })}>
      {icon}
      {children}
    </AriaButton>
  );
}
