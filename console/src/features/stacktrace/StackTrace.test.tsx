import { expect, test } from 'vitest';
import type { Frame, Stacktrace } from '../event/types.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { some } from '../../ui/testing/some.ts';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { Exceptions } from './Exceptions.tsx';
import { StackTrace } from './StackTrace.tsx';

const least: Frame = {
  filename: null,
  absPath: null,
  module: null,
  package: null,
  platform: null,
  function: null,
  rawFunction: null,
  lineNo: null,
  colNo: null,
  inApp: false,
  context: [],
  vars: null,
  instructionAddr: null,
  symbolAddr: null,
  trust: null,
  sourceLink: null,
  data: null,
};
const everything: Frame = {
  ...least,
  filename: 'src/item.ts',
  absPath: 'https://shop.example.com/src/item.ts',
  function: 'getPrice',
  lineNo: 42,
  colNo: 3,
  inApp: true,
  context: [
    [41, 'const item = load();'],
    [42, 'return item.price;'],
  ],
  vars: { item: { id: 7 } },
  sourceLink: 'https://github.com/acme/shop/blob/1/src/item.ts#L42',
  data: {
    raw: { abs_path: 'https://shop.example.com/a.js', lineno: 1, colno: 900, function: 't' },
    sourcemap: 'a.map',
  },
};
const library: Frame = { ...least, filename: 'node_modules/express/router.js', function: 'next', lineNo: 1 };
const minified: Frame = { ...least, inApp: true, filename: 'a.js', data: { unresolved: { code: 'no_map' } } };

const stack = (frames: Frame[], framesOmitted: [number, number] | null = null) => (
  <StackTrace
    stacktrace={some<Stacktrace>({ frames, framesOmitted })}
    platform="javascript"
    full={false}
    main={false}
  />
);

test('the newest frame of the application is open; those of others are folded', async () => {
  const screen = await renderInApp(stack([library, library, everything], [0, 3]));
  const frame = screen.getByRole('button', { name: /getPrice in src\/item\.ts:42:3/, expanded: true });
  await expect.element(frame).toBeVisible();
  await expect.element(screen.getByRole('region', { name: 'Source of src/item.ts:42:3' })).toBeVisible();
  await expect.element(screen.getByText('minified', { exact: true })).toBeVisible();
  await expect.element(screen.getByRole('link', { name: 'Open src/item.ts:42:3 in the repository' })).toBeVisible();
  await expect.element(screen.getByText('3 frames omitted')).toBeVisible();
  await frame.click();
  await expect.element(screen.getByRole('button', { name: /getPrice/, expanded: false })).toBeVisible();
  await screen.getByRole('button', { name: '2 framework frames' }).click();
  await expect.element(screen.getByText('library').first()).toBeVisible();
});

test('a frame of which nothing is known is anonymous and unknown; one without a map says why', async () => {
  const screen = await renderInApp(stack([minified, { ...least, inApp: true }]));
  await expect.element(screen.getByText('<anonymous> in <unknown>')).toBeVisible();
  await expect.element(screen.getByText('minified, no source map')).toBeVisible();
});

test('names and lines of any length fit', async () => {
  await renderInApp(
    stack([
      {
        ...everything,
        filename: `${'deep/'.repeat(200)}${hostileText}`,
        function: hostileText,
        context: [[42, hostileText]],
        vars: { [hostileText]: hostileText },
      },
      { ...minified, function: hostileText },
    ]),
  );
  await expectToFitNarrow();
});

test('an error without a stack says so, and one without frames', async () => {
  const event = {
    eventID: 'a',
    platform: 'node',
    entries: [
      { type: 'exception', data: { values: [{ type: 'Error', value: 'no', stacktrace: null, mechanism: null }] } },
    ],
  } as never;
  const screen = await renderInApp(
    <>
      <Exceptions event={event} headline={{}} />
      {stack([])}
    </>,
  );
  expect(screen.getByText('This error has no stack trace.').elements()).toHaveLength(2);
});
