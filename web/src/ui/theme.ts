import { createTheme, DEFAULT_THEME, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** The blue of the mark, from paper to ink. */
const ink: MantineColorsTuple = [
  '#eef4fb',
  '#dbe6f3',
  '#b3cbe7',
  '#88aedb',
  '#6596d1',
  '#4e87cb',
  '#2f6db5',
  '#265c9c',
  '#1f4b80',
  '#1f3a5f',
];

export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  colors: { ink },
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.15rem' }, h3: { fontSize: '1rem' } },
  },
  focusRing: 'auto',
  respectReducedMotion: true,
  autoContrast: true,
  components: {
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true, events: { hover: true, focus: true, touch: true } } },
    Modal: { defaultProps: { centered: false, overlayProps: { backgroundOpacity: 0.45 } } },
    Drawer: { defaultProps: { position: 'right' } },
    // Their element is a page's banner, which a dialog has none of.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
  },
});

/** Text of badges and notices on a light ground of its own colour; Mantine's is too pale to be read by all. */
const readable = Object.fromEntries(
  Object.keys(DEFAULT_THEME.colors).map((color) => [
    `--mantine-color-${color}-light-color`,
    `color-mix(in srgb, var(--mantine-color-${color}-9) 65%, black)`,
  ]),
);

/** Buttons of what cannot be had back. */
const destructive = {
  '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
  '--mantine-color-red-filled-hover': 'color-mix(in srgb, var(--mantine-color-red-9) 90%, black)',
};

/** Colours that keep the contrast of WCAG 2.2 AA where Mantine's own do not. */
export const colors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...readable,
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    ...destructive,
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-5)',
    ...destructive,
  },
});
