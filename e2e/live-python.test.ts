import { describeLive } from './live-languages.ts';

describeLive('python', 240_000);
