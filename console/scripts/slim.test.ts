import { createElement, type ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { createIcon } from '../src/ui/icon.ts';
import { shapesOf } from './slim.ts';

type Lucide = ComponentType<Readonly<Record<string, unknown>>> & {
  readonly data: Parameters<typeof shapesOf>[0];
};

async function lucide(name: string): Promise<Lucide> {
  const { default: component, __iconData: data } = (await import(
    `../../node_modules/lucide-react/dist/esm/icons/${name}.mjs`
  )) as { readonly default: ComponentType; readonly __iconData: { readonly node: Lucide['data'] } };
  return Object.assign(component, { data: data.node });
}

/** What makes no difference on the screen. */
const drawn = (markup: string): string => markup.replace(/ (?:xmlns|class)="[^"]*"/g, '');

test.each(['bug', 'settings', 'square', 'circle-dashed', 'table-2'])('%s is drawn as lucide draws it', async (name) => {
  const theirs = await lucide(name);
  const ours = createIcon(...shapesOf(theirs.data));
  for (const props of [{}, { size: 14 }, { size: 12, 'aria-label': 'Name', role: 'img' }, { 'aria-hidden': 'true' }]) {
    expect(drawn(renderToStaticMarkup(createElement(ours, props as Parameters<typeof ours>[0])))).toBe(
      drawn(renderToStaticMarkup(createElement(theirs, props))),
    );
  }
});
