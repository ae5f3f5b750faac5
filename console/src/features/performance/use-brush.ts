/** A range that was drawn on a chart becomes the time range of the page. */
import { useNavigate } from '@tanstack/react-router';
import type { Filters } from '../filters/filters.ts';

export function useBrush(): (startMs: number, endMs: number) => void {
  const navigate = useNavigate();
  return (startMs, endMs) =>
    void navigate({
      to: '.',
      search: (before: Filters) => ({
        ...before,
        cursor: undefined,
        range: undefined,
        start: new Date(startMs).toISOString(),
        end: new Date(endMs).toISOString(),
      }),
    });
}
