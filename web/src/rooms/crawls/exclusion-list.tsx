import { ActionIcon, Code, Group, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { crawlsTexts } from './crawls.texts';
import { useReadAgain, type Crawl, type Workflow } from './queries';

/** What is excluded already; each can be taken back while the crawl runs. */
export function ExclusionList({ crawl, workflow }: { readonly crawl: Crawl; readonly workflow: Workflow }) {
  const say = useTexts(crawlsTexts);
  const { oid } = useOrg();
  const readAgain = useReadAgain();
  const exclusions = [workflow.config?.exclude ?? []].flat();
  if (exclusions.length === 0) return null;
  const remove = async (regex: string): Promise<void> => {
    try {
      await client.DELETE('/api/orgs/{oid}/crawls/{crawl_id}/exclusions', {
        params: { path: { oid, crawl_id: crawl.id }, query: { regex } },
      });
      notifyDone(say('exclusionRemoved'));
    } catch (error) {
      notifyProblem(error);
    } finally {
      await readAgain();
    }
  };
  return (
    <Group gap={6}>
      <Text size="sm">{say('exclusions')}:</Text>
      {exclusions.map((regex) => (
        <Group key={regex} gap={2} wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{regex}</Code>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={say('exclusionRemove', { regex })}
            onClick={() => void remove(regex)}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
    </Group>
  );
}
