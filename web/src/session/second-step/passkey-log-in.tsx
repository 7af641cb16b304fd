import { Alert, Button, Stack } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts';
import { sentenceOf } from '../../ui/problems';
import { isDismissed, logInByPasskey, offerPasskeys } from './passkeys';
import { secondStepTexts } from './second-step.texts';

/** The way in without a password: a button, and what the browser offers in the field for the address. */
export default function PasskeyLogIn({ onDone }: { readonly onDone: () => void }) {
  const say = useTexts(secondStepTexts);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  }, [onDone]);
  useEffect(() => offerPasskeys(() => done.current()), []);
  const logIn = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await logInByPasskey();
      onDone();
    } catch (error) {
      setProblem(isDismissed(error) ? say('passkeyFailed') : sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="sm">
      {problem !== null && (
        <Alert color="red" variant="light" role="alert" p="xs">
          {problem}
        </Alert>
      )}
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={isBusy}
        onClick={() => void logIn()}
      >
        {say('byPasskey')}
      </Button>
    </Stack>
  );
}
