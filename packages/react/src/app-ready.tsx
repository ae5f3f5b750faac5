import { useEffect } from 'react';
import { currentGuard } from './guard/api.ts';

/** Renders nothing. Its first commit says that the app is up, and the guard steps back: put it where the first page has been drawn. */
export function AppReady(): null {
  useEffect(() => currentGuard()?.ready(), []);
  return null;
}
