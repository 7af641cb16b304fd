import { Button, FileButton, Group, Paper, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { IconCheck, IconUpload } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Cover, COVERS } from '../../ui/cover';
import { notifyProblem } from '../../ui/problems';
import { collectionsTexts } from './collections.texts';
import { PictureOfPage } from './picture-of-page';
import { usePicture } from './picture-upload';
import { useChange, type Collection } from './queries';

/** The picture that stands for the collection: an uploaded one, or a colour. */
export function Picture({ collection }: { readonly collection: Collection }) {
  const say = useTexts(collectionsTexts);
  const { canCrawl } = useOrg();
  const { thumbnail, defaultThumbnailName, thumbnailSource } = collection;
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Title order={2}>{say('picture')}</Title>
        <Text size="sm" c="dimmed">
          {say('pictureText')}
        </Text>
        <Cover src={thumbnail?.path} name={defaultThumbnailName} />
        {thumbnail && thumbnailSource && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {say('pictureFromPage', { url: thumbnailSource.url })}
          </Text>
        )}
        {canCrawl && <Choices collection={collection} />}
      </Stack>
    </Paper>
  );
}

function Choices({ collection }: { readonly collection: Collection }) {
  const say = useTexts(collectionsTexts);
  const { id, thumbnail, defaultThumbnailName } = collection;
  const { isBusy, upload, remove } = usePicture(id);
  const change = useChange(id);
  const choose = async (name: string | null): Promise<void> => {
    if (thumbnail) await remove();
    await change({ defaultThumbnailName: name });
  };
  return (
    <>
      <Group gap="xs">
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => file && void upload(file, file.name)}>
          {(props) => (
            <Button
              {...props}
              size="xs"
              variant="default"
              loading={isBusy}
              leftSection={<IconUpload size={14} aria-hidden />}
            >
              {say('pictureUpload')}
            </Button>
          )}
        </FileButton>
        <PictureOfPage collection={collection} />
        {thumbnail && (
          <Button size="xs" variant="subtle" onClick={() => void remove().catch(notifyProblem)}>
            {say('pictureRemove')}
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {say('pictureHint')}
      </Text>
      <Group gap="xs" role="group" aria-label={say('pictureDefaults')} wrap="nowrap">
        {[null, ...COVERS].map((name, index) => {
          const isCurrent = !thumbnail && (defaultThumbnailName ?? null) === name;
          return (
            <UnstyledButton
              key={name ?? 'plain'}
              aria-label={name ? say('pictureDefault', { number: index }) : say('picturePlain')}
              aria-pressed={isCurrent}
              pos="relative"
              flex={1}
              onClick={() => void choose(name).catch(notifyProblem)}
            >
              <Cover name={name} />
              {isCurrent && (
                <IconCheck
                  size={18}
                  stroke={3}
                  color="#fff"
                  aria-hidden
                  style={{ position: 'absolute', top: 2, right: 2 }}
                />
              )}
            </UnstyledButton>
          );
        })}
      </Group>
    </>
  );
}
