/** Builds without what packages bring along and the console never uses. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import type { Shape } from '../src/ui/icon.ts';

const icon = fileURLToPath(new URL('../src/ui/icon.ts', import.meta.url));

/** As lucide has it. */
type Node = readonly [tag: string, attributes: Readonly<Record<string, string>>];

/** `path` by its `d`; the key of a shape, which is for lists that change, is left out. */
export function shapesOf(node: readonly Node[]): Shape[] {
  return node.map(([tag, { key: _key, ...attributes }]) => {
    const { d, ...more } = attributes;
    return tag === 'path' && d && Object.keys(more).length === 0 ? d : [tag, attributes];
  });
}

/** An icon of lucide is a component of three layers, which know of colours, contexts and classes. Ours is one. */
function slimIcons(): Plugin {
  return {
    name: 'slim-icons',
    apply: 'build',
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/ },
      async handler(_code, id) {
        const { __iconData: data } = (await import(pathToFileURL(id).href)) as {
          readonly __iconData?: { readonly size: number; readonly node: readonly Node[] };
        };
        // Another name of one that has its own module.
        if (!data) return undefined;
        if (data.size !== 24) throw new Error(`${id} is not of 24 by 24`);
        const shapes = shapesOf(data.node)
          .map((shape) => JSON.stringify(shape))
          .join(', ');
        const code = `import { createIcon } from ${JSON.stringify(icon)};\nexport default /* @__PURE__ */ createIcon(${shapes});\n`;
        return { code, map: { mappings: '' } };
      },
    },
  };
}

/** The router's own way to read and write what stands behind the `?`: ours is `app/search-params.ts`. */
function noDefaultSearch(): Plugin {
  return {
    name: 'no-default-search',
    apply: 'build',
    load: {
      filter: { id: /@tanstack\/router-core\/dist\/esm\/searchParams\.js$/ },
      handler: () =>
        `export const [${['defaultParseSearch', 'defaultStringifySearch', 'parseSearchWith', 'stringifySearchWith'].join(', ')}] = [];`,
    },
  };
}

export const slim = (): Plugin[] => [slimIcons(), noDefaultSearch()];
