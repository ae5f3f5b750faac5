import { expect, test } from 'vitest';
import { isOffered, runCommand } from './commands.ts';
import { addUndo } from './undo.ts';

test('the newest is undone first, each once, and then nothing is offered', () => {
  const undone: string[] = [];
  expect(isOffered('undo')).toBe(false);
  addUndo(() => undone.push('first'));
  const second = addUndo(() => undone.push('second'));
  addUndo(() => undone.push('third'));
  second();
  second();
  expect(undone).toEqual(['second']);
  runCommand('undo');
  expect(undone).toEqual(['second', 'third']);
  expect(isOffered('undo')).toBe(true);
  runCommand('undo');
  expect(isOffered('undo')).toBe(false);
  expect(runCommand('undo')).toBe(false);
  expect(undone).toEqual(['second', 'third', 'first']);
});
