import { Badge, Box, Center, Group, Text, UnstyledButton } from '@mantine/core';
import { memo, useEffect, useRef, useState, type UIEvent } from 'react';
import { useIntl } from 'react-intl';
import { useTexts } from '../../i18n/texts';
import { crawlsTexts } from './crawls.texts';
import classes from './crawls.module.css';
import type { LogLine } from './log-queries';

/** Nearer to the end than this, the reader is there. */
const NEAR_PX = 40;

interface LinesProps {
  readonly lines: readonly LogLine[];
  readonly none: string;
  readonly note: string | undefined;
  readonly isFollowing: boolean;
  /** The reader scrolled back to read. */
  readonly onScrolledAway: () => void;
}

/** Lines of a log in order of time. Following keeps the newest in view. */
export function LogLines({ lines, none, note, isFollowing, onScrolledAway }: LinesProps) {
  const say = useTexts(crawlsTexts);
  const box = useRef<HTMLDivElement>(null);
  const top = useRef(0);
  const last = lines.at(-1)?.id;
  useEffect(() => {
    const element = box.current;
    if (element && isFollowing) element.scrollTop = element.scrollHeight;
  }, [isFollowing, last]);
  const look = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: UIEvent<HTMLDivElement>): void => {
    const isBack = scrollTop < top.current && scrollHeight - scrollTop - clientHeight > NEAR_PX;
    top.current = scrollTop;
    if (isFollowing && isBack) onScrolledAway();
  };
  return (
    <Box>
      {note && (
        <Text size="sm" c="dimmed" mb="xs">
          {note}
        </Text>
      )}
      <div ref={box} className={classes.log} role="log" aria-label={say('logLines')} tabIndex={0} onScroll={look}>
        {lines.length === 0 ? (
          <Center p="xl">
            <Text c="dimmed">{none}</Text>
          </Center>
        ) : (
          lines.map((line) => <Line key={line.id} line={line} />)
        )}
      </div>
    </Box>
  );
}

const COLORS: Readonly<Record<string, string>> = { error: 'red', fatal: 'red', warn: 'yellow', info: 'blue' };

const Line = memo(function Line({ line }: { readonly line: LogLine }) {
  const say = useTexts(crawlsTexts);
  const intl = useIntl();
  const [isOpen, setOpen] = useState(false);
  const { timestamp, logLevel, context, message, details } = line;
  const hasDetails = details != null && Object.keys(details).length > 0;
  const page = details && typeof details['page'] === 'string' ? details['page'] : null;
  return (
    <div className={classes.line}>
      <Group gap="xs" wrap="nowrap" align="baseline">
        <Text span size="xs" c="dimmed" title={intl.formatDate(timestamp, { dateStyle: 'full', timeStyle: 'medium' })}>
          <time dateTime={timestamp}>{intl.formatTime(timestamp, { timeStyle: 'medium' })}</time>
        </Text>
        <Badge size="xs" variant="light" color={COLORS[logLevel] ?? 'gray'} tt="none" style={{ flexShrink: 0 }}>
          {logLevel}
        </Badge>
        <Text span size="xs" c="dimmed" visibleFrom="sm">
          {context}
        </Text>
        <Text span size="sm" flex={1} className={classes.url} dir="auto">
          {message}
          {page && (
            <Text span size="xs" c="dimmed" display="block" dir="ltr">
              {page}
            </Text>
          )}
        </Text>
        {hasDetails && (
          <UnstyledButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} td="underline" fz="xs">
            {say('logDetails')}
          </UnstyledButton>
        )}
      </Group>
      {isOpen && <pre className={classes.details}>{JSON.stringify(details, null, 2)}</pre>}
    </div>
  );
});
