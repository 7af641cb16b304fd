import { Alert, Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiProblem } from '../api/problem';
import { describeCode } from '../api/codes.texts';
import { sayNow, useTexts } from '../i18n/texts';
import { uiTexts } from './ui.texts';

const CODE = /^[a-z_]+$/;

/** A sentence for whoever met the problem, with the API's code where it has one. A text is a sentence already. */
export function sentenceOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (!(error instanceof ApiProblem)) return sayNow(uiTexts, 'unexpected', { code: String(error) });
  const known = describeCode(error.code);
  if (known) return known;
  if (error.status === 0) return sayNow(uiTexts, 'unreachable');
  // What a role may not do is refused with a sentence in the place of a code (accounts §4).
  if (error.status === 403 && !CODE.test(error.code)) return sayNow(uiTexts, 'forbidden');
  if (error.status === 404) return sayNow(uiTexts, 'notFound');
  if (error.status === 429) return sayNow(uiTexts, 'tooMany');
  if (error.code === 'invalid') {
    const fields = Object.entries(error.fields).map(([field, text]) => `${field}: ${text}`);
    return sayNow(uiTexts, 'invalid', { fields: fields.join('; ') });
  }
  return sayNow(uiTexts, 'unexpected', { code: error.code ? error.code.replace(/_/g, ' ') : String(error.status) });
}

/** A name for the cross, which has no words. */
const close = () => ({ 'aria-label': sayNow(uiTexts, 'close') });

/** A sentence for a problem, and the code by which others can look it up. */
function Explained({ error }: { readonly error: unknown }) {
  const code = error instanceof ApiProblem && error.status > 0 ? error.code : '';
  return (
    <>
      {sentenceOf(error)}
      {code !== '' && code !== 'invalid' && (
        <Text span size="xs" ff="monospace" inherit={false} display="block" style={{ overflowWrap: 'anywhere' }}>
          {code}
        </Text>
      )}
    </>
  );
}

/** Tells of a failed action in a corner of the page. */
export const notifyProblem = (error: unknown): void =>
  void notifications.show({
    color: 'red',
    message: <Explained error={error} />,
    autoClose: 10_000,
    closeButtonProps: close(),
  });
export const notifyDone = (message: string): void =>
  void notifications.show({ color: 'green', message, closeButtonProps: close() });

/** In place of what could not be read. */
export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const say = useTexts(uiTexts);
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
      <Group justify="space-between">
        <Text size="sm" component="div">
          <Explained error={error} />
        </Text>
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {say('retry')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

export function Loading() {
  const say = useTexts(uiTexts);
  return (
    <Center mih={160} role="status" aria-label={say('loading')}>
      <Loader size="sm" />
    </Center>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}
/** In place of a list without entries: says what would be here, and how it comes here. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <Center mih={220} p="lg">
      <Stack align="center" gap="xs" maw={460} ta="center">
        <Title order={2}>{title}</Title>
        {children && (
          <Text c="dimmed" size="sm">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  );
}
