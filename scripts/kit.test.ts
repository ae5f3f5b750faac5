import { expect, test } from 'vitest';
import { countKit, kitClassesOf, laddersIn } from './kit.ts';

test('a class of the kit counts once a module, wherever in a selector it stands', () => {
  expect(kitClassesOf('.row, .row:hover { } .head > .chip { } .rowHead { }')).toEqual(['chip', 'row']);
});

test('ladders are those that draw, not buttons that are busy', () => {
  expect(
    laddersIn('{teams.isPending ? (\n  <Skeleton />\n) : teams.isError && !teams.data ? (\n <ErrorState />)}'),
  ).toBe(2);
  expect(laddersIn('if (isPending) return <Skeleton />;\nif (trace.isError && !trace.data) {\n return null;')).toBe(2);
  expect(laddersIn('<Button busy={save.isPending}>{save.isPending ? "Saving" : "Save"}</Button>')).toBe(0);
});

test('what stands in ui is not counted but for its lines', () => {
  const file = (path: string, text: string) => ({ path: `console/src/${path}`, text });
  expect(
    countKit([
      file('ui/Chip.module.css', '.chip {\n}\n'),
      file('pages/a/A.module.css', '.chip {\n}\n.row {\n}\n'),
      file('pages/a/A.tsx', '<form>{a.isPending ? <p /> : null}</form>'),
    ]),
  ).toEqual({
    'classes of the kit outside ui': 2,
    'hand-written ladders of a query': 1,
    'forms of bare state': 1,
    'lines of CSS': 6,
    'lines of CSS of pages': 4,
  });
});
