import { Alert, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../i18n/texts';
import { SidePanel } from '../dialogs';
import { When } from '../format';
import { Loading, Problem } from '../problems';
import { JobState, type Job } from './job-state';
import { jobsTexts } from './jobs.texts';

interface JobDetailProps {
  readonly job: Job;
  readonly name: string;
  readonly read: (job: Job) => Promise<Job>;
  readonly onClose: () => void;
}

/** One job: why it failed, its log, its earlier tries. */
export function JobDetail({ job, name, read, onClose }: JobDetailProps) {
  const say = useTexts(jobsTexts);
  const query = useQuery({ queryKey: ['job', job.id], queryFn: () => read(job) });
  const whole = query.data ?? job;
  const file = 'file_path' in whole ? String(whole.file_path) : null;
  return (
    <SidePanel onClose={onClose} title={name}>
      <Stack gap="sm">
        <Group gap="sm">
          <JobState job={whole} />
          <Text size="sm">
            <When at={whole.started} />
          </Text>
        </Group>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {say('id')}: {whole.id}
        </Text>
        {file && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {say('file')}: {file}
          </Text>
        )}
        {whole.error && (
          <Alert color="red" variant="light" title={say('error')}>
            {whole.error}
          </Alert>
        )}
        {(whole.previousAttempts?.length ?? 0) > 0 && (
          <>
            <Title order={3}>{say('tries')}</Title>
            {whole.previousAttempts?.map((attempt) => (
              <Text key={attempt['started']} size="sm">
                <When at={attempt['started']} />
              </Text>
            ))}
          </>
        )}
        <Title order={3}>{say('log')}</Title>
        {query.error && <Problem error={query.error} />}
        {query.isPending ? <Loading /> : <Log lines={whole.logs ?? []} />}
      </Stack>
    </SidePanel>
  );
}

function Log({ lines }: { readonly lines: readonly Record<string, string>[] }) {
  const say = useTexts(jobsTexts);
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {say('noLog')}
      </Text>
    );
  return (
    <Code block tabIndex={0} aria-label={say('log')} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {lines.map((line) => Object.values(line).join('  ')).join('\n')}
    </Code>
  );
}
