import { Alert, Box, Button, Group, NavLink, Paper, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertTriangle, IconDeviceFloppy, IconPlayerPlay } from '@tabler/icons-react';
import { useBlocker } from '@tanstack/react-router';
import { useRef, useState, type FormEvent } from 'react';
import { describeCode } from '../../../api/codes.texts';
import { useTexts } from '../../../i18n/texts';
import { useConfirm } from '../../../ui/confirm';
import { uiTexts } from '../../../ui/ui.texts';
import { NARROW } from '../../../ui/widths';
import type { Draft } from './draft';
import classes from './editor.module.css';
import { editingTexts } from './editing.texts';
import { fieldErrors, sentenceOfEditing } from './field-errors';
import { AboutSection } from './section-about';
import { BrowserSection } from './section-browser';
import { LimitsSection } from './section-limits';
import { PagesSection } from './section-pages';
import { ScheduleSection } from './section-schedule';
import { WhatSection } from './section-what';
import { validate } from './validate';

const PARTS = ['what', 'scope', 'limits', 'pages', 'browser', 'schedule', 'about'] as const;
type PartId = (typeof PARTS)[number];

/** In which part a field stands; the others are of the browser's. */
const PART_OF: Partial<Record<string, PartId>> = {
  ...of('what', ['addresses', 'seedFileId', 'source']),
  ...of('scope', ['scopeType', 'include', 'exclude', 'depth', 'extraHops', 'useSitemap', 'useRobots', 'selectLinks']),
  ...of('limits', ['limit', 'crawlTimeoutMinutes', 'maxCrawlSizeGB']),
  ...of('pages', ['behaviors', 'customBehaviors', 'clickSelector', 'pageLoadTimeout', 'behaviorTimeout']),
  ...of('pages', ['postLoadDelay', 'pageExtraDelay']),
  ...of('schedule', ['schedule']),
  ...of('about', ['name', 'description', 'tags', 'autoAddCollections', 'dedupeCollId', 'dedupePagesMinDepth']),
  ...of('about', ['crawlFilenameTemplate']),
};
function of(part: PartId, fields: readonly string[]): Record<string, PartId> {
  return Object.fromEntries(fields.map((field) => [field, part]));
}

interface EditorProps {
  readonly oid: string;
  readonly initial: Draft;
  /** Saves; a refusal that it throws is shown. False: it was not saved, and the person knows why. */
  readonly save: (draft: Draft, isRun: boolean) => Promise<boolean>;
  readonly leave: () => void;
  /** Whether a crawl can be started with saving. */
  readonly isStartable: boolean;
  readonly lastCrawlId?: string | null | undefined;
}

/** Everything that a workflow can be told, in parts; what most people leave alone is folded away. */
export function Editor({ oid, initial, save, leave, isStartable, lastCrawlId }: EditorProps) {
  const say = useTexts(editingTexts);
  const ui = useTexts(uiTexts);
  const form = useForm<Draft>({ initialValues: initial, validate });
  const [busy, setBusy] = useState<'save' | 'run' | null>(null);
  const [problem, setProblem] = useState('');
  const isSaved = useRef(false);
  useLeaveQuestion(() => form.isDirty() && !isSaved.current);
  const wrong = Object.keys(form.errors);

  const submit = async (isRun: boolean): Promise<void> => {
    setProblem('');
    const { hasErrors, errors } = form.validate();
    if (hasErrors) return show(Object.keys(errors));
    setBusy(isRun ? 'run' : 'save');
    try {
      // The page that follows is not asked about what is saved.
      isSaved.current = true;
      isSaved.current = await save(form.getValues(), isRun);
    } catch (error) {
      isSaved.current = false;
      const found = fieldErrors(error, initial);
      form.setErrors(found);
      setProblem(Object.keys(found).length > 0 ? '' : sentenceOfEditing(error));
      show(Object.keys(found));
    } finally {
      setBusy(null);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit(false);
      }}
    >
      <div className={classes.layout}>
        <Box component="nav" visibleFrom="md" className={classes.parts} aria-label={say('parts')}>
          {PARTS.map((part) => (
            <NavLink
              key={part}
              href={`#${part}`}
              label={say(part)}
              onClick={(event) => {
                event.preventDefault();
                document.getElementById(part)?.scrollIntoView({ block: 'start' });
              }}
              rightSection={
                wrong.some((field) => (PART_OF[field] ?? 'browser') === part) ? (
                  <IconAlertTriangle size={16} color="var(--mantine-color-error)" aria-label={say('hasErrors')} />
                ) : undefined
              }
            />
          ))}
        </Box>
        <Stack gap="md" maw={820} w="100%" miw={0}>
          <WhatSection form={form} oid={oid} lastCrawlId={lastCrawlId} />
          <LimitsSection form={form} />
          <PagesSection form={form} oid={oid} />
          <BrowserSection form={form} oid={oid} />
          <ScheduleSection form={form} />
          <AboutSection form={form} oid={oid} />
          <Paper withBorder p="sm" radius="md" className={classes.bar}>
            {problem && (
              <Alert color="red" variant="light" role="alert" p="xs" mb="sm">
                {problem}
              </Alert>
            )}
            <Group gap="xs">
              <Button
                px={NARROW}
                type="submit"
                loading={busy === 'save'}
                disabled={busy !== null}
                leftSection={<IconDeviceFloppy size={16} aria-hidden />}
              >
                {ui('save')}
              </Button>
              <Button
                px={NARROW}
                variant="default"
                loading={busy === 'run'}
                disabled={busy !== null || !isStartable}
                onClick={() => void submit(true)}
                leftSection={<IconPlayerPlay size={16} aria-hidden />}
              >
                {say('saveAndRun')}
              </Button>
              <Button px={NARROW} variant="subtle" onClick={leave}>
                {ui('cancel')}
              </Button>
              {!isStartable && (
                <Text size="sm" c="dimmed">
                  {describeCode('org_set_to_read_only')}
                </Text>
              )}
              {wrong.length > 0 && (
                <Text size="sm" c="var(--mantine-color-error)" role="status">
                  {say('wrongFields', { count: wrong.length })}
                </Text>
              )}
            </Group>
          </Paper>
        </Stack>
      </div>
    </form>
  );
}

/** Brings the first part with something wrong into view. */
function show(fields: readonly string[]): void {
  const part = PARTS.find((id) => fields.some((field) => (PART_OF[field] ?? 'browser') === id));
  if (!part) return;
  setTimeout(() => {
    const section = document.getElementById(part);
    const wrong = section?.querySelector<HTMLElement>('[aria-invalid=true]');
    (wrong ?? section)?.scrollIntoView({ block: 'center' });
    wrong?.focus({ preventScroll: true });
  });
}

/** Asks before a page with unsaved changes is left. */
function useLeaveQuestion(isDirty: () => boolean): void {
  const say = useTexts(editingTexts);
  const ask = useConfirm();
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!isDirty() || current.pathname === next.pathname) return false;
      return !(await ask({
        title: say('leaveTitle'),
        text: say('leaveText'),
        action: say('leave'),
        isDestructive: true,
      }));
    },
    enableBeforeUnload: () => isDirty(),
  });
}
