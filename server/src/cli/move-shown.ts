/** What `culprit move` says while it works, and at its end. */
import { move as texts } from '../base/texts/move.ts';
import type { Move, MoveReport } from '../domains/move/index.ts';
import type { Blobs } from '../ports/blobs/blobs.ts';
import type { Events } from '../ports/events/events.ts';
import { layoutOf } from '../ports/events/layout.ts';
import type { CopySide } from '../ports/state/copy/side.ts';
import type { Invocation } from './command.ts';
import { createProgressLine } from './progress-line.ts';

export type Shown = Pick<Move, 'onStage' | 'onProgress' | 'onPass'> & { end(): void } & Disposable;

export function showMove({ json }: Invocation): Shown {
  const progress = createProgressLine(String);
  const say = (line: string): void => {
    progress.end();
    if (!json) process.stdout.write(`${line}\n`);
  };
  return {
    onStage: (stage, isResumed) => {
      if (isResumed) say(texts.resumed);
      say(texts.stage[stage]);
    },
    onProgress: progress.write,
    onPass: say,
    end: progress.end,
    [Symbol.dispose]: progress.end,
  };
}

export const linesOf = (report: MoveReport & { readonly path: string }): string[] => [
  texts.done(Object.values(report.to)),
  texts.frozen(report.frozenMs),
  texts.verified(report.state.rows, report.events.rows, report.blobs.count),
  texts.report(report.path),
];

interface Sources {
  readonly state: CopySide | undefined;
  readonly events: Events | undefined;
  readonly blobs: Blobs | undefined;
}

export async function dryRun({ print }: Invocation, { state, events, blobs }: Sources): Promise<void> {
  const found = { state: 0, events: { rows: 0, bytes: 0 }, blobs: { count: 0, bytes: 0 } };
  if (state) {
    await using snapshot = await state.snapshot();
    for (const table of (await state.tables()).values()) {
      for await (const page of snapshot.pages(table)) found.state += page.length;
    }
  }
  if (events) {
    const [size] = await events.query<{ rows: number; bytes: number }>(
      'SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = {rows:String} AND active',
      { rows: layoutOf(events.address).rows },
    );
    if (size) found.events = size;
  }
  if (blobs) {
    for await (const { bytes } of blobs.list('')) {
      found.blobs.count += 1;
      found.blobs.bytes += bytes;
    }
  }
  print(found, [
    texts.dry,
    ...(state ? [texts.dryState(found.state)] : []),
    ...(events ? [texts.dryEvents(found.events.rows, found.events.bytes)] : []),
    ...(blobs ? [texts.dryBlobs(found.blobs.count, found.blobs.bytes)] : []),
  ]);
}
