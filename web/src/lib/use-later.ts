import { useEffect, useState } from 'react';

/** False at the first rendering and true after it: what is rendered then does not delay what is shown first. */
export function useLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => setLater(true), []);
  return isLater;
}
