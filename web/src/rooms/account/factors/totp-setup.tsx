import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { client, type Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { Dialog } from '../../../ui/dialogs';
import { sentenceOf } from '../../../ui/problems';
import { factorsTexts } from './factors.texts';
import { QrCode } from './qr-code';

interface Props {
  readonly begun: Schemas['TotpSetupOut'];
  readonly onDone: (codes: readonly string[] | null) => void;
  readonly onClose: () => void;
}

const inFours = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

/** Shows the secret to the app, and has a code of it typed: nothing counts before. */
export function TotpSetup({ begun, onDone, onClose }: Props) {
  const say = useTexts(factorsTexts);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code'));
    setBusy(true);
    setProblem(null);
    try {
      const { data } = await client.POST('/api/users/me/second-factor/totp', { body: { setup: begun.setup, code } });
      onDone(data?.recoveryCodes ?? null);
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={say('totpTitle')} onClose={onClose} size="lg">
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="md">
          <Text size="sm">{say('totpScan')}</Text>
          <Group gap="lg" align="flex-start">
            <QrCode text={begun.uri} label={say('totpQr')} />
            <Stack gap="xs" flex="1 1 220px">
              <Text size="sm">{say('totpByHand')}</Text>
              <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {inFours(begun.secret)}
              </Code>
              <TextInput
                name="code"
                label={say('totpCode')}
                autoComplete="one-time-code"
                inputMode="numeric"
                required
                data-autofocus
              />
            </Stack>
          </Group>
          {problem !== null && (
            <Alert color="red" variant="light" role="alert" p="xs">
              {problem}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('cancel')}
            </Button>
            <Button type="submit" loading={isBusy}>
              {say('finish')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
