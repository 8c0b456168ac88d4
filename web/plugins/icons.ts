import { runInNewContext } from 'node:vm';
import type { Plugin } from 'vite';

/** Draws an icon as the library does, without what the application does not ask of it. A path is a text alone. */
const drawing = `
import { createElement } from 'react';
const isName = (prop) => /^(aria-|(role|title)$)/.test(prop);
export default (shapes) => ({ size = 24, ...props }) =>
  createElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: 2,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
      'aria-hidden': Object.keys(props).some(isName) ? undefined : true,
      ...props,
    },
    ...shapes.map((shape) =>
      typeof shape === 'string' ? createElement('path', { d: shape }) : createElement(...shape),
    ),
  );
`;

type Shape = readonly [name: string, attributes: Readonly<Record<string, string>>];

/** React needs the keys of shapes only where their order changes. */
function withoutKey([name, { key: _, ...attributes }]: Shape) {
  const { d } = attributes;
  return name === 'path' && d !== undefined && Object.keys(attributes).length === 1 ? d : [name, attributes];
}

/** An icon is its shapes alone; the library's own form repeats what is the same in all of them. */
export const icons: Plugin = {
  name: 'icons',
  apply: 'build',
  transform: (code, id) => {
    if (id.endsWith('/lucide-react/dist/esm/createLucideIcon.mjs')) return { code: drawing, map: null };
    const [, data] = /\/lucide-react\/dist\/esm\/icons\//.test(id)
      ? (/const __iconData = (\{[\s\S]*?\n\});/.exec(code) ?? [])
      : [];
    if (data === undefined) return null;
    const { node, size } = runInNewContext(`(${data})`) as { node: readonly Shape[]; size: number };
    if (size !== 24) throw new Error(`${id} has another size; see web/plugins/icons.ts`);
    return {
      code: `import icon from '../createLucideIcon.mjs';
export default /* @__PURE__ */ icon(${JSON.stringify(node.map(withoutKey))});`,
      map: null,
    };
  },
};
