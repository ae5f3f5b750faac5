import { expect, test } from 'vitest';
import { toEntries } from './entries.ts';
import { framesOf } from './frames.ts';
import { placeInImages } from './images.ts';

const images = {
  images: [
    { type: 'symbolic', name: '/srv/shop', image_addr: '0x55b86658f000', image_size: 4_229_360 },
    { type: 'elf', code_file: '/lib/libc.so.6', image_addr: '0x7f815d000000', image_size: 4096 },
    { type: 'elf', code_file: '/lib/none.so', image_addr: 'nonsense', image_size: 4096 },
    { type: 'sourcemap', code_file: 'app.js', debug_id: '1' },
  ],
};

const placed = (frames: object[], debugMeta: unknown = images) => {
  const entries = toEntries({ exception: { values: [{ type: 'panic', stacktrace: { frames } }] } });
  placeInImages(entries, debugMeta);
  return framesOf(entries).map(({ package: file, imageAddr }) => [file, imageAddr]);
};

test('a frame without a name has the binary that its address lies in', () => {
  expect(
    placed([
      { function: '<unknown>', instruction_addr: '0x55b866938ec8' },
      { function: '<unknown>', instruction_addr: '0x7f815d000fff' },
      { function: '<unknown>', instruction_addr: '0x7f815d001000' },
      { function: 'shop::main', filename: 'main.rs', package: 'shop', instruction_addr: '0x55b866938ec8' },
      { function: 'shop::main', filename: 'main.rs', instruction_addr: '0x55b866938ec8' },
      { package: '/app/shop', image_addr: '0x1000', instruction_addr: '0x1021' },
    ]),
  ).toEqual([
    ['/srv/shop', '0x55b86658f000'],
    ['/lib/libc.so.6', '0x7f815d000000'],
    [null, undefined],
    ['shop', undefined],
    [null, undefined],
    ['/app/shop', '0x1000'],
  ]);
});

test.each([undefined, { images: 'none' }, { images: [null, 1, { image_addr: {}, image_size: -1 }] }])(
  'images %j place nothing',
  (debugMeta) => {
    expect(placed([{ function: '<unknown>', instruction_addr: '0x1' }], debugMeta)).toEqual([[null, undefined]]);
    expect(placed([{ function: '<unknown>', instruction_addr: 'nonsense' }])).toEqual([[null, undefined]]);
  },
);
