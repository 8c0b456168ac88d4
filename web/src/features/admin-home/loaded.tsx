import type { ReactNode } from 'react';
import { Loading, type Read } from '../../ui/loading.tsx';

/** A query's data, or what stands in their place. */
export function Loaded<T>({ of, children }: { of: Read & { data: T | undefined }; children: (data: T) => ReactNode }) {
  return (
    <>
      <Loading of={of} />
      {of.data !== undefined && children(of.data)}
    </>
  );
}
