import { expect, test } from 'vitest';
import { shortcuts } from './shortcuts.ts';

test('no two commands of a page share a key, and no key is the start of another', () => {
  const keys = shortcuts.flatMap(({ keys: own, command, scope }) => own.map((key) => ({ key, command, scope })));
  for (const a of keys) {
    for (const b of keys) {
      // Pages have their keys for themselves.
      const together = a.scope === b.scope || a.scope === 'Everywhere' || b.scope === 'Everywhere';
      if (a === b || !together) continue;
      expect(
        b.key === a.key || b.key.startsWith(`${a.key} `),
        `${a.key} (${a.command}) and ${b.key} (${b.command})`,
      ).toBe(false);
    }
  }
});

test('every command stands once and has a label', () => {
  expect(new Set(shortcuts.map((each) => each.command)).size).toBe(shortcuts.length);
  expect(shortcuts.every((each) => each.label.length > 3)).toBe(true);
});
