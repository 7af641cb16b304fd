import {
  Alert,
  Anchor,
  Button,
  Code,
  CopyButton,
  Group,
  Paper,
  Radio,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconCheck, IconCopy, IconDownload, IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts';
import { useOrg, useOrgRecord } from '../../session/me';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { collectionsTexts } from './collections.texts';
import { downloadLink, frameCode, playerCode, publicLink } from './links';
import { useChange, type Collection } from './queries';
import { ACCESSES, type Access } from './collection-search';

/** Who sees a collection, and how they get to it. */
export function SharingTab({ collection }: { readonly collection: Collection }) {
  const say = useTexts(collectionsTexts);
  const { slug } = useOrg();
  const isOpen = collection.access !== 'private';
  return (
    <Stack maw={760}>
      <AccessChoice collection={collection} />
      {isOpen ? (
        <>
          <PublicLink link={publicLink(slug, collection)} />
          <Embedding collection={collection} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {say('privateText')}
        </Text>
      )}
      {(collection.crawlCount ?? 0) > 0 && (
        <Paper withBorder p="md">
          <Stack gap="xs" align="flex-start">
            <Title order={2}>{say('downloadTitle')}</Title>
            <Text size="sm" c="dimmed">
              {say('downloadText')}
            </Text>
            <Button
              component="a"
              href={downloadLink(collection)}
              download
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              {say('download')}
            </Button>
          </Stack>
        </Paper>
      )}
    </Stack>
  );
}

interface Wished {
  readonly access?: Access;
  readonly allowPublicDownload?: boolean;
}
function AccessChoice({ collection }: { readonly collection: Collection }) {
  const say = useTexts(collectionsTexts);
  const { canCrawl } = useOrg();
  const org = useOrgRecord();
  const change = useChange(collection.id);
  // Shown as wished until the answer is there.
  const [wished, setWished] = useState<Wished>({});
  const { access = 'private', allowPublicDownload = true } = { ...collection, ...wished };
  const isBusy = Object.keys(wished).length > 0;
  const apply = async (body: Wished): Promise<void> => {
    setWished(body);
    try {
      await change(body);
      notifyDone(say('saved'));
    } catch (error) {
      notifyProblem(error);
    } finally {
      setWished({});
    }
  };
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2}>{say('whoSees')}</Title>
        <Radio.Group
          aria-label={say('whoSees')}
          value={access}
          onChange={(value) => void apply({ access: value as Access })}
        >
          <Stack gap="sm">
            {ACCESSES.map((one) => (
              <Radio
                key={one}
                value={one}
                disabled={!canCrawl || isBusy}
                label={say(`access_${one}`)}
                description={say(`access_${one}_text`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {access === 'public' && org && !org.enablePublicProfile && (
          <Alert color="yellow" variant="light" p="xs">
            {say('profileOff')}
          </Alert>
        )}
        {access !== 'private' && (
          <Switch
            checked={allowPublicDownload}
            disabled={!canCrawl || isBusy}
            label={say('publicDownload')}
            description={say('publicDownloadText')}
            onChange={(event) => void apply({ allowPublicDownload: event.currentTarget.checked })}
          />
        )}
      </Stack>
    </Paper>
  );
}

function PublicLink({ link }: { readonly link: string }) {
  const say = useTexts(collectionsTexts);
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group align="flex-end" wrap="nowrap">
          <TextInput
            label={say('publicLink')}
            readOnly
            value={link}
            flex={1}
            onFocus={(event) => event.target.select()}
          />
          <Copy text={link} label={say('publicLink')} />
        </Group>
        <Anchor href={link} target="_blank" rel="noopener" size="sm">
          <Group gap={4} component="span">
            <IconExternalLink size={14} aria-hidden />
            {say('openPublic')}
          </Group>
        </Anchor>
      </Stack>
    </Paper>
  );
}

function Embedding({ collection }: { readonly collection: Collection }) {
  const say = useTexts(collectionsTexts);
  const frame = frameCode(collection);
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2}>{say('embed')}</Title>
        {frame && <Snippet text={say('embedText')} label={say('embed')} code={frame} />}
        <Title order={3}>{say('embedOwn')}</Title>
        <Snippet text={say('embedOwnText')} label={say('embedOwn')} code={playerCode(collection)} />
      </Stack>
    </Paper>
  );
}

interface SnippetProps {
  readonly text: string;
  readonly label: string;
  readonly code: string;
}
function Snippet({ text, label, code }: SnippetProps) {
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        <Copy text={code} label={label} />
      </Group>
      <Code block tabIndex={0} aria-label={label} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {code}
      </Code>
    </Stack>
  );
}

function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const say = useTexts(collectionsTexts);
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          aria-label={`${say(copied ? 'copied' : 'copy')}: ${label}`}
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          onClick={copy}
        >
          {say(copied ? 'copied' : 'copy')}
        </Button>
      )}
    </CopyButton>
  );
}
