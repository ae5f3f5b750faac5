/** What every event index must do. */
import { afterEach, describe, expect, test } from 'vitest';
import type { EventIndex, IndexedEvent, Standing, Groups } from './event-index.ts';
import { entriesOf, hex, indexed } from './testing/indexed.ts';
import { dayMs, weekMs } from './weeks.ts';

const now = Date.now();

/** The same questions, answered from a list. */
class Model {
  readonly #events: IndexedEvent[] = [];

  add(events: readonly IndexedEvent[]): void {
    this.#events.push(...events);
  }

  of({ projectId, hashes }: Groups): IndexedEvent[] {
    return this.#events
      .filter((event) => event.projectId === projectId && hashes.includes(event.hash))
      .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }

  standing(groups: Groups, { at, id }: Pick<IndexedEvent, 'at' | 'id'>): Standing | undefined {
    const all = this.of(groups);
    if (!all.some((event) => event.at === at && event.id === id)) return undefined;
    const before = all.filter((event) => event.at < at || (event.at === at && event.id < id));
    const after = all.filter((event) => event.at > at || (event.at === at && event.id > id));
    return {
      total: all.length,
      before: before.length,
      next: after[0]?.id,
      previous: before.at(-1)?.id,
    };
  }
}

export function eventIndexContract(name: string, open: () => Promise<EventIndex>): void {
  const opened: EventIndex[] = [];
  const complete = async (): Promise<EventIndex> => {
    const index = await open();
    opened.push(index);
    await index.filling.noteComplete();
    return index;
  };
  afterEach(async () => {
    for (const index of opened.splice(0)) await index[Symbol.asyncDispose]();
  });

  describe(`event index: ${name}`, () => {
    test('says what a list says, over weeks, projects and hashes, however often and in whatever order it was told', async () => {
      const index = await complete();
      const model = new Model();
      const random = randomNumbers(17);
      const pick = (count: number): number => Math.floor(random() * count);
      const hashes = [0, 1, 2, 3].map((number) => hex(`hash ${number}`));
      const times = [0, 1, 2, 3].map((weeks) => now - weeks * weekMs - pick(weekMs));
      const events = Array.from({ length: 800 }, (_, number) =>
        indexed(`event ${number}`, {
          projectId: 1 + pick(2),
          // The last one is nowhere.
          hash: hashes[pick(3)] ?? '',
          at: (times[pick(4)] ?? 0) + pick(40),
          richness: pick(32),
        }),
      );
      model.add(events);
      for (let start = 0; start < events.length; start += 90)
        await index.add(entriesOf(events.slice(start, start + 90)));
      await index.add(entriesOf(events.slice(100, 300)));
      for (const of of [[0], [1, 2], [0, 1, 2, 3], [3]]) {
        const groups = { projectId: 1, hashes: of.map((number) => hashes[number] ?? '') };
        const all = model.of(groups);
        const plain = all.map(({ hash, at, id, richness }) => ({ hash, at, id, richness }));
        for (const limit of [1, 2, 51, 10_000]) {
          expect(index.newest(groups, limit)).toEqual(plain.toReversed().slice(0, limit));
          expect(index.oldest(groups, limit)).toEqual(plain.slice(0, limit));
        }
        const strangers = [
          indexed('stranger', { at: (times[1] ?? 0) + 7 }),
          indexed('young'),
          indexed('old', { at: 5 }),
        ];
        for (const event of [...all, ...strangers])
          expect(index.standing(groups, event)).toEqual(model.standing(groups, event));
      }
    });

    test('finds places by id, also of ids that end alike and of what is there twice', async () => {
      const index = await complete();
      const alike = ['0', '1'].map((digit) => `${digit.repeat(16)}${'ab'.repeat(8)}`);
      const events = [
        indexed('one', { place: { segment: 2 ** 46 + 1, ordinal: 4_000_000_000 } }),
        indexed('one', { at: now - 3 * weekMs, place: { segment: 9, ordinal: 0 } }),
        indexed('row', { place: { segment: 0, ordinal: 0 } }),
        ...alike.map((id, ordinal) => indexed('', { id, place: { segment: 64, ordinal } })),
      ];
      await index.add(entriesOf(events));
      expect(index.placesOf(hex('one'))).toEqual([events[0]?.place, events[1]?.place]);
      expect(index.placesOf(alike[0] ?? '')).toEqual([
        { segment: 64, ordinal: 0 },
        { segment: 64, ordinal: 1 },
      ]);
      expect(index.placesOf(hex('row'))).toEqual([]);
      expect(index.placesOf(hex('nobody'))).toEqual([]);
      expect(index.placesOf('0'.repeat(32))).toEqual([]);
      expect(index.placesOf('f'.repeat(32))).toEqual([]);
    });

    test('where many ids end alike the engine is asked', async () => {
      const index = await complete();
      const ids = Array.from({ length: 9 }, (_, number) => `${String(number).repeat(16)}${'ab'.repeat(8)}`);
      await index.add(entriesOf(ids.map((id, ordinal) => indexed('', { id, place: { segment: 64, ordinal } }))));
      expect(index.placesOf(ids[3] ?? '')).toEqual([]);
    });

    test('says nothing of groups until it is complete, and no more once it lost something', async () => {
      const index = await open();
      opened.push(index);
      const event = indexed('one');
      const groups = { projectId: event.projectId, hashes: [event.hash] };
      await index.add(entriesOf([event]));
      const answers = () => [
        index.newest(groups, 1)?.length,
        index.oldest(groups, 1)?.length,
        index.standing(groups, event)?.total,
      ];
      expect(answers()).toEqual([undefined, undefined, undefined]);
      expect(index.placesOf(event.id)).toEqual([event.place]);
      await index.filling.noteComplete();
      expect(answers()).toEqual([1, 1, 1]);
      await index.lose();
      expect(answers()).toEqual([undefined, undefined, undefined]);
    });

    test('of what was forgotten the engine is asked, and only of that', async () => {
      const index = await complete();
      const hashes = ['a', 'b'].map(hex);
      const events = [1, 2].flatMap((projectId) =>
        hashes.map((hash) => indexed(`${projectId} ${hash}`, { projectId, hash })),
      );
      await index.add(entriesOf(events));
      const counts = () =>
        [1, 2].map((projectId) => hashes.map((hash) => index.newest({ projectId, hashes: [hash] }, 9)?.length));
      await index.forget(1, hashes.slice(0, 1));
      expect(counts()).toEqual([
        [undefined, 1],
        [1, 1],
      ]);
      // It was under way when the others were deleted.
      await index.add(entriesOf(events.slice(0, 1)));
      expect(counts()[0]).toEqual([undefined, 1]);
      expect(index.newest({ projectId: 1, hashes }, 9)).toBeUndefined();
      await index.forget(2);
      expect(counts()).toEqual([
        [undefined, 1],
        [undefined, undefined],
      ]);
    });

    test('of a week that a project keeps no more nothing is there, and of all else it stays sure', async () => {
      const index = await complete();
      const of = (name: string, projectId: number, weeks: number): IndexedEvent =>
        indexed(name, { projectId, at: now - weeks * weekMs, digest: '5' });
      const [old, young, other] = [of('old', 1, 10), of('young', 1, 2), of('other', 2, 10)];
      await index.add(entriesOf([old, young, other]));
      await index.forgetWeek(old.at, 1, [old.hash]);
      const seen = (projectId: number) => index.newest({ projectId, hashes: [old.hash] }, 9)?.map(({ id }) => id);
      expect([seen(1), seen(2)]).toEqual([[young.id], [other.id]]);
      expect([index.isSure(1, old.hash), index.isSure(2, old.hash)]).toEqual([true, true]);
      const digests = index.withDigest('5', { projectIds: [1, 2] }, 9)?.events;
      expect(digests?.map(({ projectId, at }) => [projectId, at])).toEqual([
        [1, young.at],
        [2, other.at],
      ]);
      expect([index.anyDigest([1], 0), index.anyDigest([2], 0)]).toEqual([true, true]);
      await index.forgetWeek(other.at, 2, [other.hash]);
      expect([seen(2), index.anyDigest([2], 0)]).toEqual([[], false]);
      // Of a week that it has nothing of.
      await index.forgetWeek(now - 30 * weekMs, 1, [old.hash]);
      expect(seen(1)).toEqual([young.id]);
    });

    test('weeks that are wholly older than what is kept are not there, and go', async () => {
      const index = await complete();
      const events = [0, 10, 20].map((weeks) => indexed(`${weeks}`, { at: now - weeks * weekMs }));
      await index.add(entriesOf(events));
      const groups = { projectId: 7, hashes: [hex('group')] };
      const seen = () => index.newest(groups, 9)?.map(({ id }) => id);
      const ids = events.map(({ id }) => id);
      expect(seen()).toEqual(ids);
      index.keep(90);
      expect(seen()).toEqual(ids.slice(0, 2));
      expect(index.placesOf(ids[2] ?? '')).toEqual([]);
      // Nobody could ask for it.
      await index.add(entriesOf([indexed('late', { at: now - 21 * weekMs })]));
      index.keep(365);
      expect(seen()).toEqual(ids);
      await index.forget(3);
      await index.dropBefore(now - 90 * dayMs);
      expect(seen()).toEqual(ids.slice(0, 2));
      expect(index.newest({ projectId: 3, hashes: [hex('group')] }, 1)).toBeUndefined();
      await index.dropBefore(Date.now() + 60_000);
      expect(index.newest({ projectId: 3, hashes: [hex('group')] }, 1)).toEqual([]);
    });

    test('names the events of a digest, the newest first, of the projects and times that are asked for', async () => {
      const index = await complete();
      const traceId = hex('trace');
      const events = Array.from({ length: 60 }, (_, number) =>
        indexed(`digest ${number}`, {
          projectId: 1 + (number % 3),
          hash: hex(`hash ${number % 2}`),
          at: now - number * 9 * 3_600_000,
          digest: String(number % 5),
          traceId: number % 4 ? traceId : '',
        }),
      );
      for (let start = 0; start < events.length; start += 7) await index.add(entriesOf(events.slice(start, start + 7)));
      await index.add(entriesOf(events.slice(10, 30)));
      const scopes = [
        { projectIds: [1] },
        { projectIds: [1, 3, 9] },
        { projectIds: [] },
        { projectIds: [1, 2, 3], from: now - 20 * dayMs },
        { projectIds: [1, 2, 3], from: events[30]?.at, until: events[10]?.at },
        { projectIds: [2], until: now + dayMs },
      ];
      for (const scope of scopes) {
        for (const digest of ['0', '3', '7']) {
          const { from = 0, until = Infinity } = scope;
          const named = events.filter(
            (event) =>
              event.digest === digest &&
              scope.projectIds.includes(event.projectId) &&
              event.at >= from &&
              event.at < until,
          );
          const plain = named.map(({ projectId, hash, at, id, traceId: trace }) => ({
            projectId,
            hash,
            at,
            idEnd: id.slice(16),
            traceId: trace,
          }));
          for (const limit of [1, 2, 100])
            expect(index.withDigest(digest, scope, limit)?.events).toEqual(plain.slice(0, limit));
        }
      }
      const { events: none, groups = [] } = index.withDigest('0', { projectIds: [1, 2, 3] }, 0) ?? {};
      expect(none).toEqual([]);
      expect(groups.map(({ projectId, hash }) => `${projectId} ${hash}`).toSorted()).toEqual(
        [1, 2, 3].flatMap((projectId) => ['hash 0', 'hash 1'].map((name) => `${projectId} ${hex(name)}`)).toSorted(),
      );
      expect(index.placesOf(events[0]?.id.slice(16) ?? '')).toEqual([events[0]?.place]);
    });

    test('of a digest that too many groups have the engine is asked', async () => {
      const index = await complete();
      const events = Array.from({ length: 120 }, (_, number) =>
        indexed(`${number}`, { hash: hex(`hash ${number}`), digest: '5' }),
      );
      await index.add(entriesOf(events));
      expect(index.withDigest('5', { projectIds: [7] }, 9)).toBeUndefined();
      expect(index.withDigest('6', { projectIds: [7] }, 9)).toEqual({ events: [], groups: [] });
    });

    test('names the events of a trace in the weeks that are asked for, where there are not too many', async () => {
      const index = await open();
      opened.push(index);
      // The second differs from the first where nobody looks: whoever reads its event finds out.
      const trace = hex('a trace');
      const traces = [trace, `${trace.startsWith('0') ? '1' : '0'}${trace.slice(1)}`, hex('another'), ''];
      const events = Array.from({ length: 80 }, (_, number) =>
        indexed(`traced ${number}`, {
          projectId: 1 + (number % 3),
          hash: hex(`hash ${number % 2}`),
          at: now - Math.floor(number / 20) * weekMs,
          traceId: traces[number % 4] ?? '',
        }),
      );
      for (let start = 0; start < events.length; start += 9) await index.add(entriesOf(events.slice(start, start + 9)));
      await index.add(entriesOf(events.slice(10, 30)));
      const all = { from: 0, until: Infinity };
      expect(index.withTrace(trace, all, 100)).toBeUndefined();
      await index.filling.noteComplete();
      const endsOf = (chosen: readonly IndexedEvent[]): string[] => chosen.map(({ id }) => id.slice(18)).toSorted();
      const ofTrace = events.filter((_, number) => number % 4 < 2);
      expect(index.withTrace(trace, all, 100)?.toSorted()).toEqual(endsOf(ofTrace));
      expect(index.withTrace(trace, all, ofTrace.length)).toHaveLength(ofTrace.length);
      expect(index.withTrace(trace, all, ofTrace.length - 1)).toBeUndefined();
      expect(index.withTrace(trace, { from: now - 60_000, until: now }, 100)?.toSorted()).toEqual(
        endsOf(ofTrace.slice(0, 10)),
      );
      expect(index.withTrace(trace, { from: 0, until: now - 3 * weekMs }, 100)?.toSorted()).toEqual(
        endsOf(ofTrace.slice(30)),
      );
      expect(index.withTrace(hex('nowhere'), all, 100)).toEqual([]);
      for (const odd of ['', 'x', '0'.repeat(32), `${'a'.repeat(22)}${'0'.repeat(10)}`, 'A'.repeat(32)])
        expect(index.withTrace(odd, all, 100), odd).toBeUndefined();
      expect(index.placesOf(index.withTrace(hex('another'), all, 100)?.[0] ?? '')).toHaveLength(1);
    });

    test('knows which projects have digests, since when, and not where some were deleted', async () => {
      const index = await open();
      opened.push(index);
      const event = indexed('one', { digest: '1', at: now - 2 * dayMs });
      await index.add(entriesOf([event, indexed('two', { projectId: 8 })]));
      const any = (projectId: number, days: number) => index.anyDigest([9, projectId], now - days * dayMs);
      expect(any(7, 3)).toBeUndefined();
      expect(index.withDigest('1', { projectIds: [7] }, 1)).toBeUndefined();
      await index.filling.noteComplete();
      expect([any(7, 3), any(7, 1), any(8, 3)]).toEqual([true, false, false]);
      await index.forget(7, [hex('another')]);
      await index.forget(8, [hex('another')]);
      expect([any(7, 3), any(8, 3)]).toEqual([undefined, false]);
      await index.add(entriesOf([event]));
      expect(any(7, 3)).toBe(true);
      await index.forget(7);
      expect(any(7, 3)).toBe(false);
      index.keep(1);
      await index.add(entriesOf([event]));
      expect(any(7, 3)).toBe(false);
    });

    describe('weeks written anew', () => {
      const at = now - 3 * weekMs;
      /** In one group many, in others few. */
      const quiet = (from: number, count: number): IndexedEvent[] =>
        Array.from({ length: count }, (_, number) =>
          indexed(`quiet ${from + number}`, {
            hash: hex(`hash ${number % 5 ? 0 : number % 60}`),
            at: at - ((number * 7) % 5_000),
            digest: number % 3 ? '' : String(number % 6),
            traceId: hex(`trace ${from + number}`),
          }),
        );
      const hashes = Array.from({ length: 60 }, (_, number) => hex(`hash ${number}`));
      const expectAll = (index: EventIndex, events: readonly IndexedEvent[]): void => {
        const model = new Model();
        model.add(events);
        const groups = { projectId: 7, hashes };
        const all = model.of(groups);
        expect(index.oldest(groups, 10_000)?.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
        for (const event of all.filter((_, number) => number % 97 === 0)) {
          expect(index.standing(groups, event)).toEqual(model.standing(groups, event));
          expect(index.placesOf(event.id)).toEqual([event.place]);
        }
        for (const digest of ['0', '3']) {
          const named = index.withDigest(digest, { projectIds: [7] }, 10_000)?.events.map(({ idEnd }) => idEnd);
          const expected = all.filter((event) => event.digest === digest).map(({ id }) => id.slice(16));
          expect(named?.toSorted()).toEqual(expected.toSorted());
        }
        for (const event of all.filter((_, number) => number % 53 === 0))
          expect(index.withTrace(event.traceId, { from: 0, until: Infinity }, 9)).toEqual([event.id.slice(18)]);
      };

      test('say the same, with what came meanwhile, and are written anew once they have grown', async () => {
        const index = await complete();
        const events = quiet(0, 2_600);
        await index.add(entriesOf([...events, indexed('today')]));
        const weeks = index.weeksToPack();
        expect(weeks).toHaveLength(1);
        const late = quiet(5_000, 300);
        let pauses = 0;
        for (const week of weeks)
          await index.pack(week, async () => {
            await index.add(entriesOf(late.slice(pauses * 20, ++pauses * 20)));
            return true;
          });
        expect(pauses).toBeGreaterThan(15);
        expectAll(index, [...events, ...late]);
        expect(index.weeksToPack()).toEqual([]);
        const more = quiet(10_000, 400);
        await index.add(entriesOf(more));
        expect(index.weeksToPack()).toEqual(weeks);
        await index.pack(weeks[0] ?? 0, async () => true);
        expectAll(index, [...events, ...late, ...more]);
        expect(index.weeksToPack()).toEqual([]);
      });

      test('stay as they were where it is ended, or something is taken from them', async () => {
        const index = await complete();
        const events = quiet(0, 2_600);
        await index.add(entriesOf(events));
        const [week = 0] = index.weeksToPack();
        let pauses = 0;
        await index.pack(week, async () => ++pauses < 5);
        expect([pauses, ...index.weeksToPack()]).toEqual([5, week]);
        expectAll(index, events);
        await index.pack(week, async () => {
          await index.forget(7, [hashes[0] ?? '']);
          return true;
        });
        expect(index.weeksToPack()).toEqual([week]);
        await index.pack(week, async () => true);
        expect(index.newest({ projectId: 7, hashes: hashes.slice(0, 1) }, 9)).toBeUndefined();
        const rest = hashes.slice(1);
        const others = events.filter(({ hash }) => rest.includes(hash));
        expect(index.newest({ projectId: 7, hashes: rest }, 10_000)).toHaveLength(others.length);
        await index.pack(week, async () => {
          await index.dropBefore(Date.now());
          return true;
        });
        expect(index.newest({ projectId: 7, hashes: rest }, 1)).toEqual([]);
        expect(index.weeksToPack()).toEqual([]);
      });
    });

    test('may have revised events of any project until it is told', async () => {
      const index = await complete();
      const may = () => [1, 2, 3].map((projectId) => index.mayBeRevised(projectId));
      expect(may()).toEqual([true, true, true]);
      index.noteRevised([]);
      expect(may()).toEqual([false, false, false]);
      index.noteRevised([2]);
      index.noteRevised([3, 3]);
      expect(may()).toEqual([false, true, true]);
    });

    test('knows which weeks were filled', async () => {
      const index = await open();
      opened.push(index);
      const { filling } = index;
      await filling.noteFilled('20261123');
      expect(['20261123', '20261116'].map((week) => filling.isFilled(week))).toEqual([true, false]);
      expect(filling.weeksAgain()).toEqual([]);
      await filling.again('20261116');
      expect(filling.weeksAgain()).toEqual(['20261116']);
      await filling.noteFilled('20261116');
      expect(filling.weeksAgain()).toEqual([]);
      await index.lose();
      expect(filling.isFilled('20261123')).toBe(false);
    });
  });
}

/** From 0 to 1, the same each time. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
