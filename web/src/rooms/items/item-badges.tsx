import { Badge, Group, Text, ThemeIcon, Tooltip } from '@mantine/core';
import { IconUpload, IconWorldDownload } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts';
import { itemsTexts } from './items.texts';

/** A crawl or an upload, as a picture with its word. */
export function TypeIcon({ type }: { readonly type: 'crawl' | 'upload' }) {
  const say = useTexts(itemsTexts);
  const Icon = type === 'crawl' ? IconWorldDownload : IconUpload;
  return (
    <Tooltip label={say(type)}>
      <ThemeIcon variant="light" color={type === 'crawl' ? 'ink' : 'teal'} size="sm" role="img" aria-label={say(type)}>
        <Icon size={14} aria-hidden />
      </ThemeIcon>
    </Tooltip>
  );
}

const WORDS = ['review_1', 'review_2', 'review_3', 'review_4', 'review_5'] as const;
const COLORS = ['red', 'orange', 'yellow', 'teal', 'green'] as const;

export const reviewWord = (rating: number): (typeof WORDS)[number] => WORDS[rating - 1] ?? 'review_1';

/** How somebody rated the whole item in the quality review. */
export function ReviewBadge({ rating }: { readonly rating: number | null | undefined }) {
  const say = useTexts(itemsTexts);
  if (rating == null)
    return (
      <Text span size="sm" c="dimmed">
        –
      </Text>
    );
  return (
    <Badge variant="light" color={COLORS[rating - 1] ?? 'gray'} tt="none" fw={500}>
      {say(reviewWord(rating))}
    </Badge>
  );
}

/** Tags in one line; what has no room is counted. */
export function Tags({ tags, max = 50 }: { readonly tags: readonly string[]; readonly max?: number }) {
  const rest = tags.slice(max);
  return (
    <Group gap={4} wrap={max < 50 ? 'nowrap' : 'wrap'}>
      {tags.slice(0, max).map((tag) => (
        <Badge key={tag} variant="default" tt="none" fw={400} maw={160} dir="auto">
          {tag}
        </Badge>
      ))}
      {rest.length > 0 && (
        <Tooltip label={rest.join(', ')}>
          <Badge variant="default" tt="none" fw={400} style={{ flexShrink: 0 }}>
            +{rest.length}
          </Badge>
        </Tooltip>
      )}
    </Group>
  );
}
