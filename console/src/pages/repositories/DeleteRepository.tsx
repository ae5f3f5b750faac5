import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { deleteRepository, type Repository } from '../../features/repositories/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { FormError } from '../../ui/FormError.tsx';
import { toast } from '../../ui/toasts.ts';

const Confirm = lazy(() => import('../../ui/Confirm.tsx').then((module) => ({ default: module.Confirm })));

export function DeleteRepository({
  repository,
  onDone,
}: {
  readonly repository: Repository;
  readonly onDone: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteRepository(org, repository.id),
    onSuccess: async () => {
      onDone();
      await queries.invalidateQueries({ queryKey: ['repositories', org] });
      toast('Repository deleted');
    },
  });
  return (
    <Suspense>
      <Confirm
        title={`Delete ${repository.name}?`}
        action="Delete repository"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={onDone}
      >
        <p>Its code mappings and the commits of releases that lie in it go with it.</p>
        <FormError error={remove.error} />
      </Confirm>
    </Suspense>
  );
}
