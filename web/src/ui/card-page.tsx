import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { Brand } from './brand';

/** A small page of one form, for whoever is not logged in. */
export function CardPage({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead?: string;
  readonly children: ReactNode;
}) {
  useEffect(() => void (document.title = `${title} · Muniment`), [title]);
  return (
    <Center mih="100dvh" p="md" component="main" id="content">
      <Stack w="100%" maw={400} gap="lg">
        <Center>
          <Brand size={36} />
        </Center>
        <Paper withBorder p="xl" radius="md" shadow="sm">
          <Stack>
            <div>
              <Title order={1}>{title}</Title>
              {lead && (
                <Text c="dimmed" size="sm">
                  {lead}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Center>
  );
}
