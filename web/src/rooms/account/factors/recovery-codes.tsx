import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTexts } from '../../../i18n/texts';
import { factorsTexts } from './factors.texts';

/** Codes that are shown once: to be copied or kept as a file before they are gone. */
export function RecoveryCodes({ codes, onKept }: { readonly codes: readonly string[]; readonly onKept: () => void }) {
  const say = useTexts(factorsTexts);
  const text = `${codes.join('\n')}\n`;
  const download = (): void => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([`Muniment, ${location.origin}\n\n${text}`], { type: 'text/plain' }));
    link.download = 'muniment-recovery-codes.txt';
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <Alert color="green" variant="light" role="alert" title={say('codesTitle')}>
      <Stack gap="sm">
        <Text size="sm">{say('codesText')}</Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={4}>
          {codes.map((code) => (
            <Code key={code} fz="sm">
              {code}
            </Code>
          ))}
        </SimpleGrid>
        <Group gap="xs">
          <CopyButton value={text}>
            {({ copied, copy }) => <Button onClick={copy}>{say(copied ? 'copied' : 'copy')}</Button>}
          </CopyButton>
          <Button variant="default" leftSection={<IconDownload size={18} aria-hidden />} onClick={download}>
            {say('download')}
          </Button>
          <Button variant="default" onClick={onKept}>
            {say('kept')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
