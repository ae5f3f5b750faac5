let zone: string | undefined;

/** Where the reader is, for all times that are shown from now on; none: where the browser is. */
export function setTimeZone(name: string | null | undefined): void {
  zone = name ?? undefined;
}

export const timeZone = (): string | undefined => zone;
