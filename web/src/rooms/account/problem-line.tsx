import { Alert } from '@mantine/core';
import { sentenceOf } from '../../ui/problems';

/** What went wrong with a form, above its button; nothing while all is well. */
export function ProblemLine({ error }: { readonly error: unknown }) {
  if (error == null) return null;
  return (
    <Alert color="red" variant="light" role="alert" p="xs">
      {sentenceOf(error)}
    </Alert>
  );
}
