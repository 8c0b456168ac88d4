/** Values as JSON. If storage is blocked or full, nothing is kept, and a value lasts as long as what shows it. */
const createStorage = (area: () => Storage) => ({
  /** `undefined` without a value, or if it is not JSON. It may be of an earlier version: check its type. */
  read(key: string): unknown {
    try {
      return JSON.parse(area().getItem(key) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  },
  /** `undefined` removes the value. */
  write(key: string, value: unknown): void {
    try {
      if (value === undefined) area().removeItem(key);
      else area().setItem(key, JSON.stringify(value));
    } catch {
      // blocked or full
    }
  },
});

/** Of this browser. */
export const deviceStorage = createStorage(() => localStorage);
/** Survives a reload, but not the tab. */
export const tabStorage = createStorage(() => sessionStorage);
