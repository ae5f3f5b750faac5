/** A property of whatever was thrown; nothing where it has none, and where reading throws. */
export function read(value: unknown, name: string): unknown {
  try {
    return (Object(value) as Readonly<Record<string, unknown>>)[name];
  } catch {
    return undefined;
  }
}
