import { Drawer, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/texts';
import { uiTexts } from './ui.texts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly size?: 'md' | 'lg' | 'xl';
  readonly children: ReactNode;
}

// Mantine's header of a dialog is a `<header>`, which is heard as a second banner of the page.

/** A question or a short form above the page. */
export function Dialog({ title, onClose, size = 'md', children }: DialogProps) {
  const say = useTexts(uiTexts);
  return (
    <Modal.Root opened onClose={onClose} size={size}>
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content>
        <Modal.Header role="none">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={say('close')} />
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Details of one thing beside the list that it was opened from. */
export function SidePanel({ title, onClose, size = 'lg', children }: DialogProps) {
  const say = useTexts(uiTexts);
  return (
    <Drawer.Root opened onClose={onClose} size={size} position="right">
      <Drawer.Overlay backgroundOpacity={0.45} />
      <Drawer.Content>
        <Drawer.Header role="none">
          <Drawer.Title>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label={say('close')} />
        </Drawer.Header>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
