import { Badge, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCertificate, IconPrinter } from '@tabler/icons-react';
import { api, withToken, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { itemsTexts } from './items.texts';
import type { ItemRecord } from './queries';

type File = Schemas['CustodyFile'];
type Signer = 'service' | 'domain' | 'key' | 'broken' | 'nobody';

/** Characters of a key's id that tell it from the others. */
const SHOWN_ID = 16;

/** Who signed the item's files, verified by the service now, and the page of proof. */
export function CustodyCard({ item }: { readonly item: ItemRecord }) {
  const say = useTexts(itemsTexts);
  const { oid } = useOrg();
  const path = { oid, crawl_id: item.id };
  const { data } = api.useQuery('get', '/api/orgs/{oid}/all-crawls/{crawl_id}/custody', { params: { path } });
  if (!data || data.files.length === 0) return null;
  const page = withToken(`/api/orgs/${oid}/all-crawls/${encodeURIComponent(item.id)}/custody?format=html`);
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2}>{say('custody')}</Title>
        {[...bySigner(data.files)].map(([signer, files]) => (
          <Signed key={signer} signer={signer} files={files} />
        ))}
        <Button
          component="a"
          href={page}
          target="_blank"
          rel="noreferrer"
          variant="default"
          size="xs"
          leftSection={<IconPrinter size={14} aria-hidden />}
        >
          {say('custodyPage')}
        </Button>
      </Stack>
    </Paper>
  );
}

function Signed({ signer, files }: { readonly signer: Signer; readonly files: readonly File[] }) {
  const say = useTexts(itemsTexts);
  const named = new Set(
    files.flatMap(({ signature }) => signature?.domain ?? signature?.keyId?.slice(0, SHOWN_ID) ?? []),
  );
  const stamped = files.filter(({ timeStamp }) => timeStamp?.valid).length;
  const Icon = signer === 'broken' ? IconAlertTriangle : IconCertificate;
  const color = { service: 'green', domain: 'blue', key: 'blue', broken: 'red', nobody: 'gray' }[signer];
  return (
    <Stack gap={4}>
      <Badge variant="light" color={color} tt="none" fw={500} leftSection={<Icon size={12} aria-hidden />}>
        {say(`signed_${signer}`)}
      </Badge>
      <Text size="xs">{say('signedFiles', { count: files.length, stamped })}</Text>
      {named.size > 0 && (
        <Group gap={4}>
          {[...named].map((name) => (
            <Code key={name}>{name}</Code>
          ))}
        </Group>
      )}
    </Stack>
  );
}

function bySigner(files: readonly File[]): Map<Signer, File[]> {
  const groups = new Map<Signer, File[]>();
  for (const file of files) groups.set(signerOf(file), [...(groups.get(signerOf(file)) ?? []), file]);
  return groups;
}

function signerOf({ signature }: File): Signer {
  if (!signature) return 'nobody';
  if (!signature.valid) return 'broken';
  return signature.by === 'this service' ? 'service' : signature.by;
}
