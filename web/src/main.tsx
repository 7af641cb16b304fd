import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';
import '@mantine/dropzone/styles.css';
import '@mantine/charts/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client';
import { firstWords, LanguageProvider } from './i18n/language';
import { router } from './routes';
import { askForMe } from './session/me';
import { ConfirmProvider } from './ui/confirm';
import { colors, theme } from './ui/theme';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
// The part of Mantine's dialogs that stops the page behind them from scrolling makes a style element, and takes its nonce
// from here (`get-nonce`).
Object.assign(globalThis, { __webpack_nonce__: nonce });
const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the console.');

askForMe();
// What is drawn first is the page itself: its code and the person's language are waited for together.
void Promise.all([firstWords(), router.load()]).then(([first]) =>
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        cssVariablesResolver={colors}
        getStyleNonce={() => nonce}
      >
        <LanguageProvider first={first}>
          <QueryClientProvider client={queryClient}>
            <ConfirmProvider>
              <Notifications />
              <RouterProvider router={router} />
            </ConfirmProvider>
          </QueryClientProvider>
        </LanguageProvider>
      </MantineProvider>
    </StrictMode>,
  ),
);
