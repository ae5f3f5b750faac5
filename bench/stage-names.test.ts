import type { Profiler } from 'node:inspector';
import { expect, test } from 'vitest';
import { collection, computingStage, intakeStage, others, stageSamples } from './stage-names.ts';

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url, scriptId: '1', lineNumber: 0, columnNumber: 0 },
  children,
});
const profile = (nodes: Profiler.Profile['nodes'], samples: number[]): Profiler.Profile => ({
  nodes,
  samples,
  startTime: 0,
  endTime: 1,
});

test('a sample counts for the nearest caller that has a stage', () => {
  const nodes = [
    node(1, '(root)', '', [2, 5, 6]),
    node(2, 'accept', 'file:///server/src/ingest/accept.ts', [3]),
    node(3, 'append', 'file:///server/src/ports/queue/lmdb.ts', [4]),
    node(4, 'writeUtf8', '', []),
    node(5, '(idle)', ''),
    node(6, '(garbage collector)', ''),
  ];
  const counts = stageSamples(profile(nodes, [2, 3, 4, 4, 5, 5, 6, 1]), intakeStage);
  expect([...counts]).toEqual([
    ['intake', 1],
    ['log', 3],
    [collection, 1],
    [others, 1],
  ]);
});

test('helpers of all steps count for the step that called them', () => {
  const nodes = [
    node(1, '(root)', '', [2]),
    node(2, 'normalize', 'file:///server/src/process/steps/normalize/index.ts', [3]),
    node(3, 'read', 'file:///server/src/process/steps/json.ts'),
  ];
  expect([...stageSamples(profile(nodes, [2, 3]), computingStage)]).toEqual([['step normalize', 2]]);
});
