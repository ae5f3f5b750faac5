import { Empty } from '../features/places/Empty.tsx';
import { notFound } from './empty.ts';

export const NotFoundPage = () => <Empty of={notFound} />;
