import { Group, Paper, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

interface PanelProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}
/** A part of the page under its own heading. */
export function Panel({ title, aside, children }: PanelProps) {
  const id = useId();
  return (
    <Paper withBorder p="md" radius="md" component="section" aria-labelledby={id} h="100%">
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Paper>
  );
}
