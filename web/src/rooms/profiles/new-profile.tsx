import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTexts } from '../../i18n/texts';
import { sentenceOf } from '../../ui/problems';
import { uiTexts } from '../../ui/ui.texts';
import { BrowserSession } from './browser-session';
import { useProfileActions } from './queries';
import { profilesTexts } from './profiles.texts';

/** `example.com` is meant as an address of the web. */
const addressOf = (text: string): string => (/^https?:\/\//i.test(text) ? text : `https://${text}`);

/** Asks for the site to log in to, then shows a browser there. */
export function NewProfile({ onClose }: { readonly onClose: () => void }) {
  const say = useTexts(profilesTexts);
  const sayUi = useTexts(uiTexts);
  const actions = useProfileActions();
  const [url, setUrl] = useState('');
  const [browserId, setBrowserId] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    try {
      setBrowserId(await actions.launch(addressOf(url.trim()), undefined));
    } catch (error) {
      setProblem(sentenceOf(error));
    }
    setBusy(false);
  };
  if (browserId) return <BrowserSession browserId={browserId} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title={say('new')} closeButtonProps={{ 'aria-label': sayUi('close') }}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Text size="sm">{say('newText')}</Text>
          <TextInput
            data-autofocus
            label={say('url')}
            placeholder="https://"
            required
            value={url}
            error={problem || undefined}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {sayUi('cancel')}
            </Button>
            <Button type="submit" loading={isBusy}>
              {say('openBrowser')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
