import { type ComponentType, lazy, useState } from 'react';

/**
 * A component whose code is loaded when it is first rendered, or earlier with `load`. Loaded code renders at once:
 * React's `lazy` alone would show the fallback for 300 ms.
 */
export function loadable<Props extends object>(start: () => Promise<{ default: ComponentType<Props> }>) {
  let loaded: ComponentType<Props> | undefined;
  async function load() {
    const module = await start();
    loaded = module.default;
    return module;
  }
  const Lazy = lazy(load);
  // biome-ignore lint/correctness/noComponentHookFactories: called at module level, once per component
  function Loadable(props: Props) {
    const [Shown] = useState(() => loaded ?? Lazy); // stable while mounted, or its state would be lost
    return <Shown {...props} />;
  }
  return Object.assign(Loadable, { load });
}
