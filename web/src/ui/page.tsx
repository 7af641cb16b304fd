import { Anchor, Box, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect, type ReactNode } from 'react';
import { Link } from '@tanstack/react-router';

interface PageProps {
  readonly title: string;
  /** Beside the title: a state, a kind. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  readonly lead?: ReactNode;
  /** The list or thing that this page belongs to. */
  readonly back?: { readonly to: string; readonly label: string };
  readonly children: ReactNode;
}

/** A page of the console: its title, also in the tab, its main actions, its content. */
export function Page({ title, aside, actions, lead, back, children }: PageProps) {
  useEffect(() => void (document.title = `${title} · Muniment`), [title]);
  return (
    <Stack gap="md" maw={1400} mx="auto">
      <Box>
        {back && (
          <Anchor component={Link} to={back.to} size="sm" c="dimmed" display="inline-block" maw="100%" py={2}>
            <Group gap={4} component="span" wrap="nowrap">
              <IconArrowLeft size={14} aria-hidden style={{ flexShrink: 0 }} />
              <Text span inherit truncate dir="auto">
                {back.label}
              </Text>
            </Group>
          </Anchor>
        )}
        <Group justify="space-between" align="flex-start" wrap="wrap" gap="sm">
          <Group gap="sm" maw="100%" style={{ minWidth: 0 }}>
            <Title order={1} dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            {aside}
          </Group>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {lead && (
          <Text component="div" c="dimmed" size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
            {lead}
          </Text>
        )}
      </Box>
      {children}
    </Stack>
  );
}
