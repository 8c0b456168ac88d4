import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import styles from './button.module.css';

export type ButtonShape = {
  look?: 'primary' | 'plain' | 'quiet' | 'tonal' | 'soft' | 'danger' | 'destroy' | 'stop' | undefined;
  /** Before the text, or alone with an `aria-label`. */
  icon?: ReactNode;
  children?: ReactNode;
  wide?: boolean | undefined;
  isSmall?: boolean | undefined;
};

export const buttonClass = ({ look = 'plain', children, wide = false, isSmall = false }: ButtonShape): string =>
  cx(
    ...[styles.button, styles[look], wide && styles.wide, isSmall && styles.small],
    children === undefined && styles.square,
  );

type Native = Omit<ComponentProps<'button'>, 'className' | 'style' | 'disabled' | 'onClick' | 'children'>;
export type ButtonProps = Native &
  ButtonShape & {
    onPress?: () => void;
    isDisabled?: boolean;
    /** Its action is running: it keeps the focus but ignores clicks. */
    isPending?: boolean;
  };

/** A button. */
export function Button({
  look,
  icon,
  children,
  wide,
  isSmall,
  onPress,
  isDisabled,
  isPending = false,
  ...props
}: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      className={buttonClass({ look, children, wide, isSmall })}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      onClick={(event) => {
        if (isPending) event.preventDefault();
        else onPress?.();
      }}
    >
      {icon}
      {children}
    </button>
  );
}
