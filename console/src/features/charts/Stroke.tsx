import type { ChartToken } from './series.ts';

export interface Look {
  readonly token: ChartToken;
  readonly shape?: 'line' | 'dot' | 'bar' | undefined;
  readonly dash?: readonly number[] | undefined;
}

/** How a series looks, small: beside its name in a legend or a table. While that is not known, the room for it. */
export function Stroke({ token, shape = 'line', dash }: Partial<Look>) {
  const colour = token && `var(${token})`;
  return (
    <svg width="16" height="8" viewBox="0 0 16 8" aria-hidden="true">
      {shape === 'dot' && <circle cx="8" cy="4" r="4" fill={colour} />}
      {shape === 'bar' && <rect x="4" width="8" height="8" rx="2" fill={colour} />}
      {colour && shape === 'line' && (
        <line x1="0" x2="16" y1="4" y2="4" stroke={colour} strokeWidth="2" strokeDasharray={dash?.join(' ')} />
      )}
    </svg>
  );
}
