import { Alert, Box, Group, SegmentedControl, SimpleGrid, Stack, Tabs, Text } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { useTexts } from '../../i18n/texts';
import { useRecords } from '../../session/records';
import { replayOrigin } from '../../session/session';
import { Loading } from '../../ui/problems';
import { DifferingShare } from './differing-share';
import type { QaPageRow, Run } from './queries';
import { qaTexts } from './qa.texts';
import { usePair, type SeenPage } from './records';
import { Replay } from './replay';
import { Resources } from './resources';
import classes from './review.module.css';
import { TextDifference } from './text-view';
import { VIEWS, type View } from './search';

interface PageViewsProps {
  readonly crawlId: string;
  readonly run: Run | undefined;
  readonly page: QaPageRow;
  readonly view: View;
  readonly onView: (view: string | null) => void;
}

/** What the crawl saw beside what replay shows: pictures, text, resources, and the page itself. */
export function PageViews({ crawlId, run, page, view, onView }: PageViewsProps) {
  const say = useTexts(qaTexts);
  const { frame, read } = useRecords(run && { itemId: crawlId, runId: run.id });
  const seen = run && page.qa ? { page, runId: run.id, read } : undefined;
  const panels: Readonly<Record<View, React.ReactNode>> = {
    screenshots: seen ? <Screenshots {...seen} /> : <NothingSeen />,
    text: seen ? <TextDifference {...seen} /> : <NothingSeen />,
    resources: seen ? <Resources {...seen} /> : <NothingSeen />,
    replay: <Replay crawlId={crawlId} page={page} />,
  };
  return (
    <>
      {frame}
      <Tabs value={view} onChange={onView} keepMounted={false}>
        <Tabs.List mb="sm">
          {VIEWS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {say(one)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {VIEWS.map((one) => (
          <Tabs.Panel key={one} value={one}>
            {replayOrigin === '' && one !== 'replay' ? (
              <Alert color="yellow">{say('noReplayOrigin')}</Alert>
            ) : (
              panels[one]
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

/** A page that no run looked at has nothing to compare. */
function NothingSeen() {
  const say = useTexts(qaTexts);
  return <Alert color="gray">{say('notChecked')}</Alert>;
}

/** An address of this page's for bytes, as long as it is shown. */
function usePictureAddress(bytes: ArrayBuffer | null | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!bytes) return setAddress(undefined);
    const made = URL.createObjectURL(new Blob([bytes], { type: 'image/png' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  return address;
}

const LAYOUTS = ['beside', 'overlay'] as const;

function Screenshots(seen: SeenPage) {
  const say = useTexts(qaTexts);
  const [layout, setLayout] = useState<string>('beside');
  const { data, error, isPending } = usePair('view', seen);
  const crawl = usePictureAddress(data?.crawl);
  const qa = usePictureAddress(data?.qa);
  const choices = useMemo(() => LAYOUTS.map((value) => ({ value, label: say(value) })), [say]);
  if (error) return <Alert color="red">{say('noRecords')}</Alert>;
  if (isPending) return <Loading />;
  const sides = [
    { word: 'atCrawl', address: crawl },
    { word: 'atReplay', address: qa },
  ] as const;
  return (
    <Stack gap="sm">
      <Group gap="md">
        <SegmentedControl data={choices} value={layout} onChange={setLayout} size="xs" aria-label={say('layout')} />
        <DifferingShare page={seen.page} match="screenshotMatch" />
      </Group>
      {layout === 'overlay' ? (
        <Box>
          <Text size="sm" mb={4}>
            {say('overlayText')}
          </Text>
          {crawl && qa ? (
            <Box className={classes.overlay}>
              <img className={classes.picture} src={crawl} alt={say('overlayAlt')} />
              <img className={classes.picture} src={qa} alt="" />
            </Box>
          ) : (
            <Alert color="gray">{say('noPicture')}</Alert>
          )}
        </Box>
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {sides.map(({ word, address }) => (
            <Box key={word} component="figure" m={0}>
              <Text component="figcaption" size="sm" fw={500} mb={4}>
                {say(word)}
              </Text>
              {address ? (
                <img className={classes.picture} src={address} alt={say(`${word}Alt`)} />
              ) : (
                <Alert color="gray">{say('noPicture')}</Alert>
              )}
            </Box>
          ))}
        </SimpleGrid>
      )}
    </Stack>
  );
}
