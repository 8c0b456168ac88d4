import { useEffect } from 'react';
import { createShared } from '../../lib/shared.ts';

const preset = createShared<{ readonly id: number } | undefined>(undefined);

/** The id of the project that the page is about. */
export const usePresetId = (): number | undefined => preset.use()?.id;

/** While a page about a project is shown, the timer would start that one. */
export function usePreset(project: { readonly id: number } | undefined): void {
  const id = project?.id;
  useEffect(() => {
    if (id === undefined) return undefined;
    const own = { id };
    preset.set(own);
    return () => {
      if (preset.get() === own) preset.set(undefined);
    };
  }, [id]);
}

/** Whether the timer asks if a few seconds are to be kept. Nothing else is announced meanwhile. */
export const question = createShared(false);
