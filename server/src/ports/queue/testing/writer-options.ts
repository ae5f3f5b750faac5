import type { LogOptions } from '../open.ts';

/** For the argument of the process that writes. */
export function writerOptions({ box, ...options }: LogOptions): string {
  return JSON.stringify({ ...options, keyId: [...box.keyId], key: [...box.key] });
}

export function readWriterOptions(text: string): LogOptions {
  const { keyId, key, ...options } = JSON.parse(text) as Omit<LogOptions, 'box'> & { keyId: number[]; key: number[] };
  return { ...options, box: { keyId: Uint8Array.from(keyId), key: Uint8Array.from(key) } };
}
