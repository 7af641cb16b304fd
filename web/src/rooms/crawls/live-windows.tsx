import { AspectRatio, Box, Center, SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Dialog } from '../../ui/dialogs';
import { isPaused } from '../../ui/state-badge';
import { crawlsTexts } from './crawls.texts';
import classes from './crawls.module.css';
import { Panel } from './panel';
import { useLimits, type Crawl } from './queries';
import { useFrames, type Frame } from './watch-socket';

const HAS_WINDOWS = new Set(['running', 'rate-limited', 'pending-wait']);

/** What the windows of the crawler show, as it happens. */
export function LiveWindows({ crawl }: { readonly crawl: Crawl }) {
  const say = useTexts(crawlsTexts);
  const { oid } = useOrg();
  const perInstance = useLimits()?.numBrowsersPerInstance ?? 0;
  const windows = crawl.browserWindows ?? 1;
  const frames = useFrames({
    oid,
    crawlId: crawl.id,
    instances: perInstance > 0 ? Math.ceil(windows / perInstance) : 0,
    isLive: HAS_WINDOWS.has(crawl.state),
  });
  const [enlarged, setEnlarged] = useState<number | null>(null);
  const shown = [...frames].sort(([a], [b]) => a - b);
  const large = enlarged === null ? undefined : frames.get(enlarged);
  return (
    <Panel title={say('live')}>
      {shown.length === 0 ? (
        <Center mih={120} role="status">
          <Text c="dimmed" size="sm">
            {say(isPaused(crawl.state) ? 'livePaused' : 'liveNone')}
          </Text>
        </Center>
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 2, md: shown.length > 2 ? 3 : 2, lg: shown.length > 3 ? 4 : 3 }} spacing="sm">
          {shown.map(([id, frame]) => (
            <UnstyledButton
              key={id}
              aria-label={say('enlarge', { number: id + 1, url: frame.url })}
              onClick={() => setEnlarged(id)}
            >
              <Window number={id + 1} frame={frame} />
            </UnstyledButton>
          ))}
        </SimpleGrid>
      )}
      {enlarged !== null && (
        <Dialog onClose={() => setEnlarged(null)} size="xl" title={say('liveWindow', { number: enlarged + 1 })}>
          {large ? <Window number={enlarged + 1} frame={large} /> : <Text size="sm">{say('liveNone')}</Text>}
        </Dialog>
      )}
    </Panel>
  );
}

function Window({ number, frame }: { readonly number: number; readonly frame: Frame }) {
  const say = useTexts(crawlsTexts);
  return (
    <Box className={classes.window}>
      <AspectRatio ratio={16 / 10}>
        <img src={frame.src} alt={say('livePicture', { number, url: frame.url })} className={classes.picture} />
      </AspectRatio>
      <Text size="xs" p={6} truncate dir="ltr" title={frame.url}>
        {frame.url}
      </Text>
    </Box>
  );
}
