/** A range that was drawn on a chart becomes the time range of the page. */
import { useNavigate } from '@tanstack/react-router';
import { between, type Filters } from '../filters/filters.ts';
import { chosen } from '../filters/travel.ts';

export function useZoom(): (startMs: number, endMs: number) => void {
  const navigate = useNavigate();
  return (startMs, endMs) =>
    void navigate({
      to: '.',
      search: (before: Filters) => chosen(before, between(startMs, endMs)),
    });
}
