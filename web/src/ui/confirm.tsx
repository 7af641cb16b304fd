import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { createContext, useCallback, useContext, useMemo, useState, type FormEvent, type ReactNode } from 'react';
import { useTexts } from '../i18n/texts';
import { Dialog } from './dialogs';
import { uiTexts } from './ui.texts';

interface Question {
  readonly title: string;
  /** What happens, and what cannot be had back. */
  readonly text: ReactNode;
  /** The verb of the button. */
  readonly action: string;
  readonly isDestructive?: boolean;
  /** The name that has to be typed before the action can be chosen. */
  readonly typed?: string;
}
type Ask = (question: Question) => Promise<boolean>;
const AskContext = createContext<Ask>(() => Promise.resolve(false));

/** `if (await ask({ … })) …`: a question before something that destroys. */
export const useConfirm = (): Ask => useContext(AskContext);

interface Open extends Question {
  readonly answer: (isAgreed: boolean) => void;
}
export function ConfirmProvider({ children }: { readonly children: ReactNode }) {
  const [open, setOpen] = useState<Open | null>(null);
  const ask = useCallback<Ask>((question) => new Promise((resolve) => setOpen({ ...question, answer: resolve })), []);
  const answer = useMemo(
    () => (isAgreed: boolean) => {
      open?.answer(isAgreed);
      setOpen(null);
    },
    [open],
  );
  return (
    <AskContext value={ask}>
      {children}
      {open && <QuestionModal question={open} answer={answer} />}
    </AskContext>
  );
}

function QuestionModal({ question, answer }: { readonly question: Question; readonly answer: (yes: boolean) => void }) {
  const say = useTexts(uiTexts);
  const [typed, setTyped] = useState('');
  const isReady = question.typed === undefined || typed === question.typed;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) answer(true);
  };
  return (
    <Dialog onClose={() => answer(false)} title={question.title}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm" component="div">
            {question.text}
          </Text>
          {question.typed !== undefined && (
            <TextInput
              data-autofocus
              label={say('typeToConfirm', { name: question.typed })}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => answer(false)}>
              {say('cancel')}
            </Button>
            <Button type="submit" color={question.isDestructive ? 'red' : undefined} disabled={!isReady}>
              {question.action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
