import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  /** For forms: lines that are too long to read are avoided. */
  readonly isNarrow?: boolean;
  readonly children: ReactNode;
}

/** A titled part of a page of several. */
export function Section({ title, lead, actions, isNarrow = false, children }: SectionProps) {
  return (
    <Stack component="section" gap="sm" mb="xl" maw={isNarrow ? 640 : undefined} aria-label={title}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box>
          <Title order={2}>{title}</Title>
          {lead && (
            <Text component="div" c="dimmed" size="sm">
              {lead}
            </Text>
          )}
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
