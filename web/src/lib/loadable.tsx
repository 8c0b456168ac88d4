import { type ComponentType, lazy, useState } from 'react';

/**
 * A component whose code is loaded when it is first shown, or before that with `load`. Once it is there it is shown at once:
 * React's `lazy` alone would show the fallback first, which stays for 300 ms.
 */
export function loadable<Props extends object>(start: () => Promise<{ default: ComponentType<Props> }>) {
  let loaded: ComponentType<Props> | undefined;
  async function load() {
    const module = await start();
    loaded = module.default;
    return module;
  }
  const Lazy = lazy(load);
  // biome-ignore lint/correctness/noComponentHookFactories: called where modules are evaluated, once for each component
  function Loadable(props: Props) {
    const [Shown] = useState(() => loaded ?? Lazy); // for as long as it is shown: another component has another state
    return <Shown {...props} />;
  }
  return Object.assign(Loadable, { load });
}
