import { Button, Group, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTexts } from '../../i18n/texts';
import { sentenceOf } from '../../ui/problems';
import { uiTexts } from '../../ui/ui.texts';
import { useRunActions } from './queries';
import { qaTexts } from './qa.texts';

/** Asks whether all pages or a sample are to be checked, and starts the run. */
export function StartRun({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const say = useTexts(qaTexts);
  const sayUi = useTexts(uiTexts);
  const actions = useRunActions(id);
  const [limit, setLimit] = useState<number | string>('');
  const [urlMatch, setUrlMatch] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await actions.start(Number(limit) || undefined, urlMatch.trim());
      onClose();
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={say('start')} closeButtonProps={{ 'aria-label': sayUi('close') }}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Text size="sm">{say('startText')}</Text>
          <NumberInput
            label={say('limit')}
            description={say('limitText')}
            placeholder={say('allPages')}
            value={limit}
            onChange={setLimit}
            min={1}
            allowDecimal={false}
          />
          <TextInput
            label={say('urlMatch')}
            description={say('urlMatchText')}
            value={urlMatch}
            onChange={(event) => setUrlMatch(event.currentTarget.value)}
          />
          {problem && (
            <Text role="alert" size="sm" c="var(--mantine-color-error)">
              {problem}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {sayUi('cancel')}
            </Button>
            <Button type="submit" loading={isBusy}>
              {say('start')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
