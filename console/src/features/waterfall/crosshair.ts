/** The moment that is pointed at in the minimap, µs from the start of the trace: the waterfall marks it too. */
import { useSyncExternalStore } from 'react';
import { createCrosshair } from '../charts/crosshair.ts';

const crosshair = createCrosshair();

export const pointAt = crosshair.set;

export const usePointedUs = (): number | undefined => useSyncExternalStore(crosshair.subscribe, crosshair.get);
