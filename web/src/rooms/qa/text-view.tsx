import { Alert, Group, Paper, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import { useTexts } from '../../i18n/texts';
import { Loading } from '../../ui/problems';
import { DifferingShare } from './differing-share';
import { qaTexts } from './qa.texts';
import { usePair, type SeenPage } from './records';
import classes from './review.module.css';
import { differenceOf } from './text-difference';

const SIGN = { same: ' ', crawl: '−', qa: '+' } as const;
const decode = (bytes: ArrayBuffer | null | undefined): string => (bytes ? new TextDecoder().decode(bytes) : '');

/** The visible text at the crawl and at replay, line by line. */
export function TextDifference(seen: SeenPage) {
  const say = useTexts(qaTexts);
  const { data, error, isPending } = usePair('text', seen);
  const pieces = useMemo(() => (data ? differenceOf(decode(data.crawl), decode(data.qa)) : []), [data]);
  if (error) return <Alert color="red">{say('noRecords')}</Alert>;
  if (isPending) return <Loading />;
  if (!data.crawl && !data.qa) return <Alert color="gray">{say('noText')}</Alert>;
  const isSame = pieces.every(({ kind }) => kind === 'same');
  return (
    <Stack gap="xs">
      <Group gap="md">
        <Text size="sm" role="status">
          {isSame ? say('sameText') : say('differentText')}
        </Text>
        {!isSame && <DifferingShare page={seen.page} match="textMatch" />}
      </Group>
      <Paper withBorder p="xs" className={classes.text} tabIndex={0} role="region" aria-label={say('text')} dir="auto">
        {pieces.map(({ kind, lines }, index) => (
          <span key={index} className={classes[kind]}>
            {kind !== 'same' && <VisuallyHidden>{say(kind === 'crawl' ? 'onlyCrawl' : 'onlyReplay')}</VisuallyHidden>}
            {lines.map((line) => `${SIGN[kind]} ${line}`).join('\n')}
          </span>
        ))}
      </Paper>
    </Stack>
  );
}
