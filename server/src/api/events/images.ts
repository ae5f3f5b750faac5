/** Which binary a frame without symbols lies in, from the list that the SDK sent beside the stack. */
import type { z } from 'zod';
import { integer, type Json, object, objects, text } from '../shared/read.ts';
import type { Entry, Frame } from './contract.ts';
import { framesOf, threadFramesOf } from './frames.ts';

type EntryShape = z.output<typeof Entry>;
type FrameShape = z.output<typeof Frame>;

interface Image {
  readonly start: number;
  readonly end: number;
  readonly address: string;
  readonly file: string;
}

/** Fills in `package` and `imageAddr` of frames that have an address and no name. */
export function placeInImages(entries: readonly EntryShape[], debugMeta: unknown): void {
  const nameless = [...framesOf(entries), ...threadFramesOf(entries)].filter(isNameless);
  if (nameless.length === 0) return;
  const images = objects(object(debugMeta)?.['images']).flatMap(toImage);
  for (const frame of nameless) {
    const address = Number(frame.instructionAddr);
    const image = images.find(({ start, end }) => address >= start && address < end);
    if (!image) continue;
    frame.package = image.file;
    frame.imageAddr = image.address;
  }
}

const isNameless = (frame: FrameShape): boolean =>
  frame.instructionAddr !== null && frame.package === null && frame.filename === null;

function toImage(image: Json): Image[] {
  const address = text(image['image_addr']);
  const size = integer(image['image_size']);
  // Older SDKs say `name`.
  const file = text(image['code_file']) ?? text(image['name']);
  const start = Number(address ?? Number.NaN);
  return address && size && file && start >= 0 ? [{ start, end: start + size, address, file }] : [];
}
