import { Anchor, Box, Button, Group, Grid, Paper, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconDownload, IconPencil } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { useTexts } from '../../i18n/texts';
import { ReplayFrame } from '../../session/replay-frame';
import { Bytes, Count, useBytes, When } from '../../ui/format';
import { Markdown } from '../../ui/markdown';
import { Period } from '../../ui/period';
import { Loading, Problem } from '../../ui/problems';
import { Gone } from './gone';
import { publicTexts } from './public.texts';
import { PublicFrame } from './public-frame';
import classes from './public-frame.module.css';
import { useIsEditor, usePublicCollection } from './queries';

const route = getRouteApi('/explore/$orgSlug/collections/$collectionSlug');
type Collection = Schemas['PublicCollOut'];

/** A collection as anybody sees it: replay, description, figures, download. */
export function PublicCollectionPage() {
  const { orgSlug, collectionSlug } = route.useParams();
  const { data, error, refetch } = usePublicCollection(orgSlug, collectionSlug);
  if (data) return <Whole collection={data} orgSlug={orgSlug} />;
  if (error instanceof ApiProblem && error.status === 404) return <Gone of="Collection" />;
  return (
    <PublicFrame title={collectionSlug}>
      {error ? <Problem error={error} retry={() => void refetch()} /> : <Loading />}
    </PublicFrame>
  );
}

interface WholeProps {
  readonly collection: Collection;
  readonly orgSlug: string;
}
function Whole({ collection, orgSlug }: WholeProps) {
  const say = useTexts(publicTexts);
  const { name, description, orgName } = collection;
  return (
    <PublicFrame title={`${name} · ${orgName}`}>
      <Stack gap="lg">
        <Head collection={collection} orgSlug={orgSlug} />
        <Replay collection={collection} />
        <Grid gap="xl">
          <Grid.Col span={{ base: 12, md: 8 }}>
            {description && (
              <Box component="section" aria-label={say('description')}>
                <Markdown text={description} />
              </Box>
            )}
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>
            <Facts collection={collection} />
          </Grid.Col>
        </Grid>
      </Stack>
    </PublicFrame>
  );
}

function Head({ collection, orgSlug }: WholeProps) {
  const say = useTexts(publicTexts);
  const bytes = useBytes();
  const { name, oid, id, slug, caption, orgName, orgPublicProfile, allowPublicDownload, crawlCount, totalSize } =
    collection;
  const isEditor = useIsEditor(oid);
  return (
    <Stack gap="xs">
      {orgPublicProfile ? (
        <Anchor component={Link} to={`/explore/${orgSlug}`} size="sm" c="dimmed">
          <Group gap={4} component="span">
            <IconArrowLeft size={14} aria-hidden />
            {orgName}
          </Group>
        </Anchor>
      ) : (
        <Text size="sm" c="dimmed" dir="auto">
          {orgName}
        </Text>
      )}
      <Group justify="space-between" align="flex-start">
        <Title order={1} dir="auto" style={{ overflowWrap: 'anywhere', minWidth: 0, flex: '1 1 300px' }}>
          {name}
        </Title>
        <Group gap="xs">
          {isEditor && (
            <Button
              component={Link}
              to={`/o/${orgSlug}/collections/${id}?tab=about`}
              variant="default"
              leftSection={<IconPencil size={16} aria-hidden />}
            >
              {say('manage')}
            </Button>
          )}
          {allowPublicDownload && (crawlCount ?? 0) > 0 && (
            <Button
              component="a"
              href={`/api/public/orgs/${encodeURIComponent(orgSlug)}/collections/${encodeURIComponent(slug)}/download`}
              download
              variant="default"
              title={say('downloadOf', { size: bytes(totalSize) })}
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              {say('download')}
            </Button>
          )}
        </Group>
      </Group>
      {caption && (
        <Text dir="auto" maw={760} style={{ overflowWrap: 'anywhere' }}>
          {caption}
        </Text>
      )}
    </Stack>
  );
}

function Replay({ collection }: { readonly collection: Collection }) {
  const say = useTexts(publicTexts);
  const { url, ts } = route.useSearch();
  const { oid, id, name, crawlCount, homeUrl, homeUrlTs } = collection;
  if (!crawlCount) return <Text c="dimmed">{say('nothing')}</Text>;
  const first = url ? { url, ts } : { url: homeUrl ?? undefined, ts: homeUrlTs };
  return (
    <ReplayFrame
      scope={{ oid, kind: 'collection', id }}
      publicToo
      title={say('replayOf', { name })}
      height="max(420px, calc(100dvh - 260px))"
      {...first}
    />
  );
}

function Facts({ collection }: { readonly collection: Collection }) {
  const say = useTexts(publicTexts);
  const { pageCount, uniquePageCount, crawlCount, totalSize, dateEarliest, dateLatest, modified } = collection;
  const hosts = collection.topPageHosts ?? [];
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="facts">
      <Title order={2} id="facts" mb="xs">
        {say('facts')}
      </Title>
      <Stack gap={6} component="dl" m={0} fz="sm">
        <Fact name={say('period')}>
          <Period from={dateEarliest} to={dateLatest} />
        </Fact>
        <Fact name={say('pages')}>
          <Count value={pageCount} />
        </Fact>
        <Fact name={say('addresses')}>
          <Count value={uniquePageCount} />
        </Fact>
        <Fact name={say('items')}>
          <Count value={crawlCount} />
        </Fact>
        <Fact name={say('size')}>
          <Bytes value={totalSize} />
        </Fact>
        <Fact name={say('modified')}>
          <When at={modified} />
        </Fact>
      </Stack>
      {hosts.length > 0 && (
        <>
          <Title order={3} mt="md" mb={4}>
            {say('hosts')}
          </Title>
          <Stack gap={6} component="dl" m={0} fz="sm">
            {hosts.map(({ host, count }) => (
              <Fact key={host} name={host}>
                <Count value={count} />
              </Fact>
            ))}
          </Stack>
        </>
      )}
    </Paper>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
