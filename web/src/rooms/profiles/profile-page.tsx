import { Anchor, Badge, Box, Button, Group, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconBrowser, IconEdit, IconTrash } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { useConfirm } from '../../ui/confirm';
import { Bytes, When } from '../../ui/format';
import { Page } from '../../ui/page';
import { Loading, notifyProblem, Problem } from '../../ui/problems';
import { BrowserSession } from './browser-session';
import { EditProfile } from './edit-profile';
import { useProfile, useProfileActions, useWorkflowsOf, type Profile } from './queries';
import { profilesTexts } from './profiles.texts';

const route = getRouteApi('/member/o/$slug/profiles/$id');

export function ProfilePage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useProfile(id);
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  return data ? <Shown profile={data} /> : <Loading />;
}

/** A profile: its sites, who uses it, and the way back into its browser. */
function Shown({ profile }: { readonly profile: Profile }) {
  const say = useTexts(profilesTexts);
  const { slug } = route.useParams();
  const { canCrawl } = useOrg();
  const [isEditing, setEditing] = useState(false);
  const [browserId, setBrowserId] = useState('');
  return (
    <Page
      title={profile.name}
      back={{ to: `/o/${slug}/profiles`, label: say('title') }}
      lead={profile.description || undefined}
      actions={canCrawl && <Actions profile={profile} onEdit={() => setEditing(true)} onBrowser={setBrowserId} />}
    >
      <Stack gap="md">
        {profile.tags && profile.tags.length > 0 && (
          <Group gap={6}>
            {profile.tags.map((tag) => (
              <Badge key={tag} variant="default" tt="none" fw={500} dir="auto">
                {tag}
              </Badge>
            ))}
          </Group>
        )}
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Sites profile={profile} canOpen={canCrawl} onBrowser={setBrowserId} />
          <Facts profile={profile} />
        </SimpleGrid>
        <Workflows profile={profile} />
      </Stack>
      {isEditing && <EditProfile profile={profile} onClose={() => setEditing(false)} />}
      {browserId && <BrowserSession browserId={browserId} profile={profile} onClose={() => setBrowserId('')} />}
    </Page>
  );
}

interface ActionsProps {
  readonly profile: Profile;
  readonly onEdit: () => void;
  readonly onBrowser: (browserId: string) => void;
}
function Actions({ profile, onEdit, onBrowser }: ActionsProps) {
  const say = useTexts(profilesTexts);
  const actions = useProfileActions();
  const navigate = route.useNavigate();
  const { slug } = route.useParams();
  const ask = useConfirm();
  const [isBusy, setBusy] = useState(false);
  const open = async (): Promise<void> => {
    setBusy(true);
    await actions.launch(profile.origins[0] ?? 'about:blank', profile.id).then(onBrowser, notifyProblem);
    setBusy(false);
  };
  const remove = async (): Promise<void> => {
    const question = { title: say('delete'), text: say('deleteText', { name: profile.name }), action: say('delete') };
    if (!(await ask({ ...question, isDestructive: true }))) return;
    await actions.remove(profile.id).then(() => void navigate({ to: `/o/${slug}/profiles` }), notifyProblem);
  };
  return (
    <>
      <Button leftSection={<IconBrowser size={16} aria-hidden />} loading={isBusy} onClick={() => void open()}>
        {say('logInAgain')}
      </Button>
      <Button variant="default" leftSection={<IconEdit size={16} aria-hidden />} onClick={onEdit}>
        {say('edit')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        disabled={profile.inUse}
        title={profile.inUse ? say('deleteInUse') : undefined}
        onClick={() => void remove()}
      >
        {say('delete')}
      </Button>
    </>
  );
}

interface SitesProps {
  readonly profile: Profile;
  readonly canOpen: boolean;
  readonly onBrowser: (browserId: string) => void;
}
function Sites({ profile, canOpen, onBrowser }: SitesProps) {
  const say = useTexts(profilesTexts);
  const actions = useProfileActions();
  const open = (origin: string): void => void actions.launch(origin, profile.id).then(onBrowser, notifyProblem);
  return (
    <Paper withBorder p="md" component="section" aria-label={say('sites')}>
      <Title order={2} mb="xs">
        {say('sites')}
      </Title>
      {profile.origins.length === 0 && <Text size="sm">{say('noSites')}</Text>}
      <Stack gap={6} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {profile.origins.map((origin) => (
          <Group key={origin} component="li" justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {origin}
            </Text>
            {canOpen && (
              <Button
                size="compact-xs"
                variant="subtle"
                aria-label={say('openSite', { site: origin })}
                onClick={() => open(origin)}
              >
                {say('open')}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

function Facts({ profile }: { readonly profile: Profile }) {
  const say = useTexts(profilesTexts);
  const facts = [
    [say('created'), <When key="created" at={profile.created} />, profile.createdByName],
    [say('modified'), <When key="modified" at={profile.modified} />, profile.modifiedByName],
    [say('refreshed'), <When key="refreshed" at={profile.modifiedCrawlDate} />, null],
    [say('size'), <Bytes key="size" value={profile.resource?.size} />, null],
    [say('channel'), profile.crawlerChannel ?? '–', null],
    [say('proxy'), profile.proxyId || '–', null],
  ] as const;
  return (
    <Paper withBorder p="md" component="section" aria-label={say('about')}>
      <Title order={2} mb="xs">
        {say('about')}
      </Title>
      <Stack gap={6} component="dl" m={0}>
        {facts.map(([title, value, by]) => (
          <Group key={title} gap="xs" align="baseline" wrap="nowrap">
            <Text component="dt" size="sm" c="dimmed" w={{ base: 120, sm: 170 }} style={{ flexShrink: 0 }}>
              {title}
            </Text>
            <Box component="dd" m={0} fz="sm">
              {value}
              {by && `, ${by}`}
            </Box>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

function Workflows({ profile }: { readonly profile: Profile }) {
  const say = useTexts(profilesTexts);
  const { slug } = route.useParams();
  const { data, error } = useWorkflowsOf(profile.id);
  if (error) return <Problem error={error} />;
  const workflows = data?.items ?? [];
  return (
    <Paper withBorder p="md" component="section" aria-label={say('usedBy')}>
      <Title order={2} mb="xs">
        {say('usedBy')}
      </Title>
      {workflows.length === 0 ? (
        <Text size="sm">{say('notUsed')}</Text>
      ) : (
        <List size="sm" spacing={4}>
          {workflows.map((workflow) => (
            <List.Item key={workflow.id}>
              <Anchor component={Link} to={`/o/${slug}/workflows/${workflow.id}`} size="sm" dir="auto">
                {workflow.name || workflow.firstSeed || workflow.id}
              </Anchor>
            </List.Item>
          ))}
        </List>
      )}
    </Paper>
  );
}
