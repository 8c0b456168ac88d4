import { type ComponentType, lazy, useEffect, useState } from 'react';

const failures = new Set<() => void>();

/** Preact keeps a failed import; afterwards the next use of the component imports it again. */
export function forgetFailures(): void {
  for (const forget of failures) forget();
  failures.clear();
}

/**
 * A component whose code is loaded when it is first rendered, or earlier with `load`. Loaded code renders at once:
 * `lazy` alone would show the fallback first.
 */
export function loadable<Props extends object>(start: () => Promise<{ default: ComponentType<Props> }>) {
  let loaded: ComponentType<Props> | undefined;
  async function load() {
    try {
      const module = await start();
      loaded = module.default;
      return module;
    } catch (error) {
      failures.add(() => {
        Lazy = lazy(load);
      });
      throw error;
    }
  }
  let Lazy = lazy(load);
  // biome-ignore lint/correctness/noComponentHookFactories: called at module level, once per component
  function Loadable(props: Props) {
    const [Shown] = useState(() => loaded ?? Lazy); // stable while mounted, or its state would be lost
    return <Shown {...props} />;
  }
  return Object.assign(Loadable, { load });
}

const retryMilliseconds = 30_000;

/**
 * A component that the page works without: nothing is shown until its code is loaded. While it cannot be loaded, such as
 * offline or during a restart of the service, it is tried again; unlike with `loadable`, the page does not fail.
 */
export function optional<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let loaded: ComponentType<Props> | undefined;
  // biome-ignore lint/correctness/noComponentHookFactories: called at module level, once per component
  function Optional(props: Props) {
    const [Shown, setShown] = useState(() => loaded);
    useEffect(() => {
      if (Shown !== undefined) return undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let isGone = false;
      async function start(): Promise<void> {
        try {
          loaded = (await load()).default;
          if (!isGone) setShown(() => loaded);
        } catch {
          if (!isGone) timer = setTimeout(() => void start(), retryMilliseconds);
        }
      }
      void start();
      return () => {
        isGone = true;
        clearTimeout(timer);
      };
    }, [Shown]);
    return Shown === undefined ? null : <Shown {...props} />;
  }
  return Object.assign(Optional, { load });
}
