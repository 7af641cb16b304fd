import { Kbd, Modal, Stack, Switch, Table } from '@mantine/core';
import { useTexts } from '../../i18n/texts';
import { uiTexts } from '../../ui/ui.texts';
import { qaTexts } from './qa.texts';
import { keepKeys } from './review-keys';

const KEYS = [
  ['j', 'next'],
  ['k', 'previous'],
  ['y', 'approve'],
  ['n', 'reject'],
  ['u', 'undecide'],
  ['c', 'addNote'],
  ['1', 'screenshots'],
  ['2', 'text'],
  ['3', 'resources'],
  ['4', 'replay'],
  ['?', 'keys'],
] as const;

interface KeysHelpProps {
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
  readonly onClose: () => void;
}
/** The keys of the review, which can be turned off. */
export function KeysHelp({ isOn, onSwitch, onClose }: KeysHelpProps) {
  const say = useTexts(qaTexts);
  const sayUi = useTexts(uiTexts);
  const change = (next: boolean): void => {
    keepKeys(next);
    onSwitch(next);
  };
  return (
    <Modal opened onClose={onClose} title={say('keys')} closeButtonProps={{ 'aria-label': sayUi('close') }}>
      <Stack>
        <Switch label={say('keysOn')} checked={isOn} onChange={(event) => change(event.currentTarget.checked)} />
        <Table aria-label={say('keys')}>
          <Table.Tbody>
            {KEYS.map(([key, word]) => (
              <Table.Tr key={key}>
                <Table.Th scope="row" w={60}>
                  <Kbd>{key}</Kbd>
                </Table.Th>
                <Table.Td>{say(word)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Stack>
    </Modal>
  );
}
