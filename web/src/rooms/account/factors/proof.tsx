import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { Dialog } from '../../../ui/dialogs';
import { PasswordField } from '../../../ui/password-field';
import { sentenceOf } from '../../../ui/problems';
import { factorsTexts } from './factors.texts';

export type Proof = Schemas['FreshProof'];

interface Props {
  readonly title?: string;
  readonly lead?: ReactNode;
  readonly email: string;
  /** Whether a code can be given, and whether the password will do. */
  readonly takes: { readonly code: boolean; readonly password: boolean };
  /** What is asked for beside the proof. */
  readonly children?: ReactNode;
  /** @throws ApiProblem, which is told in the dialog */
  readonly send: (proof: Proof, answers: Readonly<Record<string, string>>) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for password or code once more, and what is to be done with it. */
export function ProofDialog({ title, lead, email, takes, children, send, onClose }: Props) {
  const say = useTexts(factorsTexts);
  const [isByCode, setByCode] = useState(!takes.password);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const answers = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]),
    );
    const proof = { password: answers['password'] ?? null, code: answers['code'] ?? null };
    setBusy(true);
    setProblem(null);
    try {
      await send(proof, answers);
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title ?? say('proveTitle')} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          {lead && <Text size="sm">{lead}</Text>}
          {children}
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          {isByCode ? (
            <TextInput
              key="code"
              name="code"
              label={say('code')}
              autoComplete="one-time-code"
              required
              data-autofocus
            />
          ) : (
            <PasswordField
              key="password"
              name="password"
              label={say('password')}
              autoComplete="current-password"
              required
              data-autofocus
            />
          )}
          {takes.code && takes.password && (
            <Anchor component="button" type="button" size="sm" onClick={() => setByCode(!isByCode)}>
              {say(isByCode ? 'byPassword' : 'byCode')}
            </Anchor>
          )}
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
              {say('goOn')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
