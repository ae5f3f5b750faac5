import { expect, test } from 'vitest';
import { allCommands, labelOf, scopeOf } from './labels.ts';
import { shortcuts } from './shortcuts.ts';

test('no two commands of a page share a key, and no key is the start of another', () => {
  // A list of issues offers what can be done with an issue, too; a trace has its keys for itself.
  const pageOf = (scope: ReturnType<typeof scopeOf>): string => (scope === 'Trace' ? scope : 'Issues');
  const keys = allCommands.flatMap((command) =>
    (shortcuts[command] ?? []).map((key) => ({ key, command, scope: scopeOf(command) })),
  );
  for (const a of keys) {
    for (const b of keys) {
      const together = pageOf(a.scope) === pageOf(b.scope) || a.scope === 'Everywhere' || b.scope === 'Everywhere';
      // The list has no issue to leave, the issue no selection to clear.
      const apart = [a.command, b.command].toSorted().join() === 'issue.back,list.clear';
      if (a === b || !together || apart) continue;
      expect(
        b.key === a.key || b.key.startsWith(`${a.key} `),
        `${a.key} (${a.command}) and ${b.key} (${b.command})`,
      ).toBe(false);
    }
  }
});

test('every command has a label of its own, and its place', () => {
  const texts = allCommands.map(labelOf);
  expect(new Set(allCommands.map((command) => `${scopeOf(command)} ${labelOf(command)}`)).size).toBe(texts.length);
  expect(texts.every((label) => label.length > 3)).toBe(true);
  expect([scopeOf('go.issues'), scopeOf('list.next'), scopeOf('issue.resolve'), scopeOf('trace.back')]).toEqual([
    'Everywhere',
    'Lists',
    'Issue',
    'Trace',
  ]);
});
