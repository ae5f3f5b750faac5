/** What an icon is in a build: see `slim.ts` beside the configuration of Vite. */
import { createElement, type SVGProps } from 'react';

interface Props extends SVGProps<SVGSVGElement> {
  readonly size?: number;
}

/** A path by its text, any other shape by its tag and attributes. */
export type Shape = string | readonly [tag: string, attributes: object];

export const createIcon =
  (...shapes: readonly Shape[]) =>
  ({ size = 24, ...rest }: Props) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': rest['aria-label'] === undefined || undefined,
        ...rest,
      },
      ...shapes.map((shape) =>
        typeof shape === 'string' ? createElement('path', { d: shape }) : createElement(shape[0], shape[1]),
      ),
    );
