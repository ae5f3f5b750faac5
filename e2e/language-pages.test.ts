import { covering, describePages } from './language-pages.ts';

describePages(covering);
