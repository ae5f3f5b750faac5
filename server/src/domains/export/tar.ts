/** Entries of a tar as all programs read them (ustar). Pure. */

const blockBytes = 512;

/** Two empty blocks. */
export const tarEnd: Uint8Array = new Uint8Array(2 * blockBytes);

/** `name` has at most 100 bytes. */
export function tarEntry(name: string, bytes: Uint8Array, timeMs: number): Uint8Array[] {
  const head = Buffer.alloc(blockBytes);
  if (head.write(name, 0, 100, 'utf8') < Buffer.byteLength(name)) throw new RangeError(`${name} is too long`);
  const octal = (value: number, at: number, width: number): void =>
    void head.write(
      `${Math.floor(value)
        .toString(8)
        .padStart(width - 1, '0')}\0`,
      at,
    );
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes.length, 124, 12);
  octal(timeMs / 1000, 136, 12);
  head.write('0', 156);
  head.write('ustar\0', 257);
  head.write('00', 263);
  head.fill(' ', 148, 156);
  head.write(
    `${head
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  const rest = bytes.length % blockBytes;
  return [head, bytes, ...(rest ? [new Uint8Array(blockBytes - rest)] : [])];
}
