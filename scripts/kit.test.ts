import { expect, test } from 'vitest';
import { countKit, kitClassesOf, laddersIn, remadeIn } from './kit.ts';

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

const file = (path: string, text: string) => ({ path: `console/src/${path}`, text });

test('what a page makes although ui has it is named, with its place', () => {
  const found = remadeIn([
    file('ui/Chip.module.css', '.chip {\n}\n'),
    file('ui/Menu.tsx', 'import { Menu } from \'@base-ui/react/menu\'; <form><div role="menu" /></form>'),
    file('pages/a/A.module.css', '.chip {\n}\n.row {\n}\n'),
    file('pages/a/A.tsx', "import { Menu } from '@base-ui/react/menu';\n<form>{a.isPending ? <p /> : null}</form>"),
    file('pages/a/B.tsx', '<ul role="listbox" /><input role="combobox" />'),
    file('features/a/C.tsx', '<input role="combobox" /><Completion />'),
  ]);
  expect(found.map((sentence) => sentence.replace(/;.*/, ''))).toEqual([
    'console/src/pages/a/A.module.css defines .chip',
    'console/src/pages/a/A.module.css defines .row',
    'console/src/pages/a/A.tsx draws loading and errors, which a QueryView does',
    'console/src/pages/a/A.tsx has a <form>, which Form and PlainForm are for',
    'console/src/pages/a/A.tsx imports Base UI',
    'console/src/pages/a/B.tsx makes a popup with role="listbox"',
    'console/src/pages/a/B.tsx makes a popup with role="combobox"',
  ]);
});

test('lines of CSS are counted, and those of pages once more', () => {
  expect(countKit([file('ui/A.module.css', '.a {\n}\n'), file('pages/a/A.module.css', '.b {\n}\n')])).toEqual({
    'lines of CSS': 4,
    'lines of CSS of pages': 2,
  });
});
