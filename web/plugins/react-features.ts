import type { Plugin } from 'vite';

/** Throws in the build's React, so that nobody uses a feature that is not there. */
const absent = 'throw Error("left out of the build")';
const nothing = '';
const no = 'return !1';

/** What React's functions do in the build, by features that the application does not use. */
const bodies: readonly { readonly does: string; readonly functions: readonly string[] }[] = [
  // Pages that a server rendered
  { does: no, functions: ['popHydrationState', 'queueIfContinuousEvent', 'scheduleCallbackIfUnblocked'] },
  { does: nothing, functions: ['retryIfBlockedOn'] },
  {
    does: absent,
    functions: [
      'canHydrateInstance',
      'clearHydrationBoundary',
      'getHydratableHoistableCache',
      'prepareToHydrateHostInstance',
      'updateDehydratedSuspenseComponent',
    ],
  },
  // <ViewTransition>
  {
    does: nothing,
    functions: [
      'applyViewTransitionToHostInstancesRecursive',
      'commitDeletedPairViewTransitions',
      'commitEnterViewTransitions',
      'commitExitViewTransitions',
      'commitNestedViewTransitions',
      'measureNestedViewTransitions',
      'pushViewTransitionCancelableScope',
      'restoreEnterOrExitViewTransitions',
      'restoreNestedViewTransitions',
      'restoreViewTransitionOnHostInstances',
      'trackEnterViewTransitions',
    ],
  },
  {
    does: absent,
    functions: [
      'commitAfterMutationEffectsOnFiber',
      'createViewTransitionInstance',
      'getViewTransitionClassName',
      'getViewTransitionName',
      'measureViewTransitionHostInstancesRecursive',
      'restoreViewTransitionName',
      'scheduleViewTransitionEvent',
      'startViewTransition',
    ],
  },
  // <title>, <meta>, <link> and <script> that move to the head, and preloading
  {
    does: `if (1 !== hostContext && /^(title|meta|link|script)$/.test(type)) ${absent}; return !1`,
    functions: ['isHostHoistableType'],
  },
  {
    does: absent,
    functions: [
      'acquireResource',
      'getResource',
      'insertStylesheetIntoRoot',
      'mountHoistable',
      'preconnectAs',
      'preinitModuleScript',
      'preinitScript',
      'preinitStyle',
      'preload',
      'preloadModule',
      'preloadResource',
      'preloadStylesheet',
      'suspendResource',
    ],
  },
  // References to fragments, <Activity>, <SuspenseList>, useActionState, custom elements
  {
    does: nothing,
    functions: [
      'commitFragmentInstanceDeletionEffects',
      'commitFragmentInstanceInsertionEffects',
      'commitNewChildToFragmentInstances',
    ],
  },
  {
    does: absent,
    functions: [
      'FragmentInstance',
      'commitNewChildToFragmentInstance',
      'deleteChildFromFragmentInstance',
      'mountActionState',
      'setPropOnCustomElement',
      'updateActionStateImpl',
      'updateActivityComponent',
      'updateSuspenseListComponent',
    ],
  },
  // Names of components in errors, which mean nothing after minification
  { does: 'return ""', functions: ['getStackByFiberInDevAndProd'] },
];

function replace(code: string, what: RegExp, by: string | ((found: string, ...groups: string[]) => string)): string {
  const replaced = code.replace(what, by as string);
  if (replaced === code) throw new Error(`react-dom has changed, it lacks ${what}; see web/plugins/react-features.ts`);
  return replaced;
}

function without(source: string): string {
  let code = source;
  for (const { does, functions } of bodies)
    for (const name of functions)
      code = replace(
        code,
        new RegExp(`^(function ${name}\\([^)]*\\) \\{)\\n[\\s\\S]*?^\\}`, 'm'),
        (_, head) => `${head}${does}}`,
      );
  code = replace(code, /^FragmentInstance\.prototype\.\w+ = function[\s\S]*?^\};/gm, '');
  code = replace(code, /^exports\.hydrateRoot = [\s\S]*?^\};/m, '');
  // A constant, so that the minifier removes what depends on it. One function has a parameter of this name.
  code = replace(code, /\(isHydrating = !\d\)|\bisHydrating = !\d(?=;)/g, '0');
  return replace(code, /\bisHydrating\b(?!\$| =|\n\) \{)/g, '!1');
}

/** Leaves features out of React DOM that the application does not use, a fifth of its size. */
export const reactFeatures: Plugin = {
  name: 'react-features',
  apply: 'build', // in development React's messages need them
  transform: (code, id) => (id.endsWith('/react-dom-client.production.js') ? { code: without(code), map: null } : null),
};
