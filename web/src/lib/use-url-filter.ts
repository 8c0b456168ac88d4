import { useSearchParams } from 'wouter';

/** A filter stored in the URL, without default values. A change resets the page to 1. */
export function useUrlFilter<F extends Record<string, string>>(defaults: F) {
  const [params, setParams] = useSearchParams();
  const filter = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, params.get(name) ?? value]),
  ) as F; // the same names
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1);

  function write(next: F, nextPage: number): void {
    const given = Object.entries(next).filter(([name, value]) => value !== defaults[name]);
    setParams(new URLSearchParams([...given, ...(nextPage > 1 ? [['page', `${nextPage}`]] : [])]), { replace: true });
  }

  return {
    filter,
    page,
    change: (changed: Partial<F>) => write({ ...filter, ...changed }, 1),
    turnTo: (next: number) => write(filter, next),
  };
}
