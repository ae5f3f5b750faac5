import { describePages } from './language-pages.ts';

describePages((events) => events);
