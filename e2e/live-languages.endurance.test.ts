import { describeLive } from './live-languages.ts';

for (const language of ['go', 'java', 'rust'] as const) describeLive(language, 900_000);
