/** Frameworks that the set-up knows; `id` is stored as the project's platform. */
export interface Platform {
  readonly id: string;
  readonly name: string;
}

export const platforms: readonly Platform[] = [
  { id: 'javascript-nextjs', name: 'Next.js' },
  { id: 'javascript-react', name: 'React' },
  { id: 'javascript', name: 'Browser JavaScript' },
  { id: 'node-express', name: 'Express' },
  { id: 'node', name: 'Node.js' },
  { id: 'opentelemetry', name: 'OpenTelemetry' },
  { id: 'other', name: 'Other' },
];

export function platformName(id: string | null): string {
  return platforms.find((platform) => platform.id === id)?.name ?? id ?? '';
}
