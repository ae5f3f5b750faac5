/** A running installation moves to other stores while events come, and back; the command is killed on the way. */
import { expect, test } from 'vitest';
import { move as texts } from '../src/base/texts/move.ts';
import { guideText, spokenCommands } from './guides.ts';
import { culprit, Server } from './harness.ts';
import { moveThereAndBack } from './moving.ts';

test('to all four stores and back, with the commands of the guide; the old server accepts until it is stopped', () =>
  moveThereAndBack({
    connections: 2,
    pauseMs: 100,
    kills: [{ when: texts.stage.catchUp, afterMs: 0 }],
    killsBack: [],
  }));

test('what the guide says in passing', async () => {
  // The first and the last two are run with the move and in tests of their own.
  expect(spokenCommands(await guideText('move-to-scaled'))).toEqual([
    'move',
    'key',
    'serve --data-dir "$DIR"',
    'move --undo',
    'backup',
  ]);
  await using server = await Server.create({}, { start: false });
  const here = { CULPRIT_DATA_DIR: server.dataDir };
  expect(await culprit(['key'], here)).toMatchObject({ code: 0, stdout: expect.stringMatching(/[0-9a-f]{8}/) });
  const urls = 'postgres://culprit@127.0.0.1:1/culprit\nhttp://127.0.0.1:1/culprit\n';
  // Nobody runs here: it is read, and refused for that alone.
  expect(await culprit(['move', '--to', '-', '--dry-run'], here, urls)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the server does not run'),
  });
});
