/**
 * A running installation moves to some other stores while events come, killed on the way. To all four and back, by the
 * commands of the guide, it goes in `move.endurance.test.ts`.
 */
import { expect, test } from 'vitest';
import { move as texts } from '../src/base/texts/move.ts';
import { connectEvents, parseEventsUrl } from '../src/ports/events/open.ts';
import { guideText, spokenCommands } from './guides.ts';
import { culprit, Server } from './harness.ts';
import { startLoad } from './load.ts';
import { expectOnce, expectSignedIn, moveAway, openPlaces, others, prepare, seen } from './moving.ts';

test('to some of the stores: the server stops, and is started again with them', async () => {
  await using places = await openPlaces();
  await using source = await Server.create();
  const load = startLoad(source, 4, 20);
  const { cookie, path, before, sent } = await prepare(source);
  const words = ['move', '--to', places.state, places.events, places.blobs];
  await moveAway(source, words, { kills: [{ when: texts.stage.copy, afterMs: 0 }], path });
  await load.stop();
  await source.until('the server has stopped', async () => !(await fetch(source.url).catch(() => undefined)));
  await expect(source.start()).rejects.toThrow('has moved to');
  await using target = source.like({
    CULPRIT_STATE_URL: places.state,
    CULPRIT_EVENTS_URL: places.events,
    CULPRIT_BLOBS_URL: places.blobs,
  });
  await target.start();
  await target.drained();
  expect(await seen(target)).toMatchObject(before);
  await expectSignedIn(target, cookie, source.installed.organization);
  await using events = connectEvents(parseEventsUrl(places.events));
  await expectOnce(events, load.acknowledged);
  expect(await others(target, events)).toEqual(sent);
}, 300_000);

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
