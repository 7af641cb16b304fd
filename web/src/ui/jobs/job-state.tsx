import { Badge, Loader } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { jobsTexts } from './jobs.texts';

export type Job = Schemas['BackgroundJob'];

export function JobState({ job }: { readonly job: Job }) {
  const say = useTexts(jobsTexts);
  const [text, color] =
    job.success == null ? [say('running'), 'blue'] : job.success ? [say('done'), 'green'] : [say('failed'), 'red'];
  return (
    <Badge
      variant="light"
      color={color}
      tt="none"
      fw={500}
      leftSection={job.success == null ? <Loader size={10} aria-hidden /> : undefined}
    >
      {text}
    </Badge>
  );
}
