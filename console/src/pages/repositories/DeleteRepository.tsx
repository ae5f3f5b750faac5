import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteRepository, type Repository } from '../../features/repositories/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/repositories.ts';
import { Confirm } from '../../ui/Confirm.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { toast } from '../../ui/toasts.ts';

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
      toast(m.removed);
    },
  });
  return (
    <Confirm
      title={m.removeAsk({ name: repository.name })}
      action={m.removeRepository}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onDone}
    >
      <p>{m.removeWhat}</p>
      <FormError error={remove.error} />
    </Confirm>
  );
}
