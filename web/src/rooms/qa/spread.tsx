import { Box, Group, Paper, SimpleGrid, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useIntl } from 'react-intl';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { Problem } from '../../ui/problems';
import { useSpread, type Run } from './queries';
import classes from './qa.module.css';
import { qaTexts } from './qa.texts';
import { MATCHES, type Match } from './search';

const route = getRouteApi('/member/o/$slug/items/$id/qa');

/** How alike the pages are at crawl and at replay: a histogram for each kind of match. A bar filters the list. */
export function Spread({ id, run }: { readonly id: string; readonly run: Run }) {
  const say = useTexts(qaTexts);
  const { data, error, refetch } = useSpread(id, run);
  // What came in between the last question and the end of the run.
  useEffect(() => {
    if (run.finished) void refetch();
  }, [run.finished, refetch]);
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  return (
    <Box component="section" aria-label={say('spread')}>
      <Title order={2} mb="xs">
        {say('spread')}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {MATCHES.map((match) => (
          <Histogram key={match} match={match} buckets={data?.[match] ?? []} />
        ))}
      </SimpleGrid>
    </Box>
  );
}

type Bucket = Schemas['QARunBucketStats'];
interface HistogramProps {
  readonly match: Match;
  readonly buckets: readonly Bucket[];
}
interface Bar {
  readonly from: number | undefined;
  readonly below: number | undefined;
  readonly count: number;
}

/** The groups in the order of the API, each with the next one's bound. A group of 100 % alone joins the one before. */
function barsOf(buckets: readonly Bucket[]): Bar[] {
  const bars: Bar[] = [];
  const scored = buckets.filter(({ lowerBoundary }) => Number.isFinite(Number(lowerBoundary)));
  scored.forEach(({ lowerBoundary, count }, index) => {
    const next = scored[index + 1];
    bars.push({ from: Number(lowerBoundary), below: next ? Number(next.lowerBoundary) : undefined, count });
  });
  const without = buckets.find(({ lowerBoundary }) => !Number.isFinite(Number(lowerBoundary)));
  return without ? [...bars, { from: undefined, below: undefined, count: without.count }] : bars;
}

function Histogram({ match, buckets }: HistogramProps) {
  const say = useTexts(qaTexts);
  const intl = useIntl();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const bars = barsOf(buckets);
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const percent = (score: number): string => intl.formatNumber(score, { style: 'percent' });
  const nameOf = ({ from, below }: Bar): string =>
    from === undefined ? say('noData') : say('range', { from: percent(from), to: percent(below ?? 1) });
  const isChosen = (bar: Bar): boolean =>
    search.by === match && search.from === bar.from && search.below === bar.below && bar.from !== undefined;
  const choose = (bar: Bar): void => {
    const filter = isChosen(bar)
      ? { by: undefined, from: undefined, below: undefined }
      : { by: match, from: bar.from, below: bar.below };
    void navigate({ search: (now) => ({ ...now, ...filter, page: undefined }), resetScroll: false });
  };
  return (
    <Paper withBorder p="md">
      <Title order={3} mb="sm">
        {say(match)}
      </Title>
      <Stack gap={4}>
        {bars.map((bar) => {
          const row = (
            <Group gap="sm" wrap="nowrap">
              <Text size="sm" w={96} style={{ flexShrink: 0 }}>
                {nameOf(bar)}
              </Text>
              <Box className={classes.track}>
                <Box
                  className={classes.bar}
                  data-low={bar.from !== undefined && bar.from < 0.5}
                  data-middle={bar.from !== undefined && bar.from >= 0.5 && bar.from < 0.9}
                  w={`${String((100 * bar.count) / most)}%`}
                />
              </Box>
              <Text size="sm" w={56} ta="end">
                {intl.formatNumber(bar.count)}
              </Text>
            </Group>
          );
          if (bar.from === undefined)
            return (
              <Box key="none" className={classes.bucket}>
                {row}
              </Box>
            );
          return (
            <UnstyledButton
              key={bar.from}
              className={classes.bucket}
              aria-pressed={isChosen(bar)}
              aria-label={say('bucket', { match: say(match), range: nameOf(bar), count: bar.count })}
              onClick={() => choose(bar)}
            >
              {row}
            </UnstyledButton>
          );
        })}
      </Stack>
    </Paper>
  );
}
