import { Alert, Anchor, Box, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { ApiProblem } from '../../api/problem';
import { useTexts } from '../../i18n/texts';
import { Cover } from '../../ui/cover';
import { useBytes } from '../../ui/format';
import { Period } from '../../ui/period';
import { Loading, Problem } from '../../ui/problems';
import { Gone } from './gone';
import { publicTexts } from './public.texts';
import { PublicFrame } from './public-frame';
import classes from './public-frame.module.css';
import { useProfile, type Profile, type PublicCollection } from './queries';

/** What an org shows to everybody: who it is, and its public collections. */
export function ProfilePage() {
  const { orgSlug = '' } = useParams({ strict: false });
  const { data, error, refetch } = useProfile(orgSlug);
  if (data) return <Whole profile={data} orgSlug={orgSlug} />;
  if (error instanceof ApiProblem && error.status === 404) return <Gone of="Org" />;
  return <PublicFrame title={orgSlug}>{error ? <Problem error={error} retry={refetch} /> : <Loading />}</PublicFrame>;
}

interface WholeProps {
  readonly profile: Profile;
  readonly orgSlug: string;
}
function Whole({ profile, orgSlug }: WholeProps) {
  const say = useTexts(publicTexts);
  const { name, description, url, collections, isPreview } = profile;
  return (
    <PublicFrame title={name}>
      <Stack gap="xl">
        {isPreview && (
          <Alert color="yellow" variant="light" p="xs">
            {say('preview')}
          </Alert>
        )}
        <Stack gap="xs" maw={760}>
          <Title order={1} dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Title>
          {description && (
            <Text dir="auto" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
              {description}
            </Text>
          )}
          <Website url={url} />
        </Stack>
        <Box component="section" aria-labelledby="collections">
          <Group justify="space-between" mb="sm">
            <Title order={2} id="collections">
              {say('collections')}
            </Title>
            {collections.length > 0 && (
              <Text size="sm" c="dimmed">
                {say('collectionCount', { count: collections.length })}
              </Text>
            )}
          </Group>
          {collections.length === 0 ? (
            <Text c="dimmed">{say('noCollections')}</Text>
          ) : (
            <SimpleGrid
              cols={{ base: 1, xs: 2, md: 3, lg: 4 }}
              component="ul"
              p={0}
              m={0}
              style={{ listStyle: 'none' }}
            >
              {collections.map((one) => (
                <li key={one.id}>
                  <CollectionCard collection={one} orgSlug={orgSlug} />
                </li>
              ))}
            </SimpleGrid>
          )}
        </Box>
      </Stack>
    </PublicFrame>
  );
}

/** Only an address of the web becomes a link: the org's people typed it. */
export function Website({ url }: { readonly url: string }) {
  if (!/^https?:\/\//i.test(url)) return null;
  return (
    <Anchor href={url} target="_blank" rel="noopener noreferrer nofollow" size="sm">
      <Group gap={4} component="span">
        {url.replace(/^https?:\/\//i, '').replace(/\/$/, '')}
        <IconExternalLink size={14} aria-hidden />
      </Group>
    </Anchor>
  );
}

interface CardProps {
  readonly collection: PublicCollection;
  readonly orgSlug: string;
}
function CollectionCard({ collection, orgSlug }: CardProps) {
  const say = useTexts(publicTexts);
  const bytes = useBytes();
  const { name, slug, caption, thumbnail, defaultThumbnailName, dateEarliest, dateLatest } = collection;
  const { pageCount, totalSize } = collection;
  return (
    <Card
      withBorder
      padding="sm"
      className={classes.card}
      component={Link}
      to={`/explore/${orgSlug}/collections/${slug}`}
    >
      <Card.Section>
        <Cover src={thumbnail?.path} name={defaultThumbnailName} />
      </Card.Section>
      <Stack gap={4} mt="sm">
        <Text fw={600} dir="auto" lineClamp={2} className={classes.name}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          <Period from={dateEarliest} to={dateLatest} />
        </Text>
        {caption && (
          <Text size="sm" dir="auto" lineClamp={3}>
            {caption}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {say('pageTotal', { count: pageCount ?? 0 })} · {bytes(totalSize ?? 0)}
        </Text>
      </Stack>
    </Card>
  );
}
