import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { crawlsTexts } from './crawls.texts';
import { useLimits, useReadAgain, type Crawl } from './queries';

/** How many browser windows crawl at once: more or fewer while the crawl goes on. */
export function WindowCount({ crawl }: { readonly crawl: Crawl }) {
  const say = useTexts(crawlsTexts);
  const { oid } = useOrg();
  const readAgain = useReadAgain();
  const max = useLimits()?.maxBrowserWindows ?? 1;
  const [isBusy, setBusy] = useState(false);
  const count = crawl.browserWindows ?? 1;
  const set = async (browserWindows: number): Promise<void> => {
    setBusy(true);
    try {
      await client.POST('/api/orgs/{oid}/crawls/{crawl_id}/scale', {
        params: { path: { oid, crawl_id: crawl.id } },
        body: { browserWindows },
      });
      notifyDone(say('windowsSet', { count: browserWindows }));
    } catch (error) {
      notifyProblem(error);
    } finally {
      await readAgain();
      setBusy(false);
    }
  };
  const isFixed = isBusy || Boolean(crawl.stopping);
  return (
    <Group gap={6} wrap="nowrap">
      <Tooltip label={say('fewerWindows')}>
        <ActionIcon
          variant="default"
          aria-label={say('fewerWindows')}
          disabled={isFixed || count <= 1}
          onClick={() => void set(count - 1)}
        >
          <IconMinus size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {say('windows', { count })}
      </Text>
      <Tooltip label={say('moreWindows')}>
        <ActionIcon
          variant="default"
          aria-label={say('moreWindows')}
          disabled={isFixed || count >= max}
          onClick={() => void set(count + 1)}
        >
          <IconPlus size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
