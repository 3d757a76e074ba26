/** The theme of the screens. */
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/** Petrol: calm in the dark, and not the colour of any state. */
const petrol: MantineColorsTuple = [
  '#e6f6f8',
  '#cfe9ed',
  '#a3d4db',
  '#74bec9',
  '#4fadba',
  '#36a2b0',
  '#167a88',
  '#0b6b7a',
  '#07596a',
  '#034654',
]

/** Mantine's greys with a hint of blue, so that orange fundus images have a cool background. */
const dark: MantineColorsTuple = [
  '#dfe7ea',
  '#b9c6cc',
  '#93a4ad',
  '#5e717b',
  '#34444c',
  '#26333a',
  '#1b262b',
  '#141d21',
  '#0e1518',
  '#090f11',
]

const FONT =
  "'Segoe UI Variable Text', 'Segoe UI', system-ui, -apple-system, 'Open Sans', 'Noto Sans', sans-serif"

export const theme = createTheme({
  primaryColor: 'petrol',
  // White text on both has a contrast of 4.5 : 1; a paler button would glare in the dark.
  primaryShade: { light: 7, dark: 6 },
  colors: { petrol, dark },
  fontFamily: FONT,
  fontFamilyMonospace: "'Cascadia Mono', Consolas, ui-monospace, 'DejaVu Sans Mono', monospace",
  headings: { fontFamily: FONT, fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Tooltip: { defaultProps: { withArrow: true, openDelay: 350, multiline: true, maw: 320 } },
    Modal: { defaultProps: { centered: true, radius: 'lg', transitionProps: { duration: 120 } } },
    Menu: {
      defaultProps: {
        shadow: 'md',
        radius: 'md',
        transitionProps: { duration: 90 },
        // Beside its button, so that it belongs to the same landmark.
        withinPortal: false,
        // The placeholder is a child that the menu role does not allow.
        withInitialFocusPlaceholder: false,
      },
    },
    // The header of a dialog is not the header of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
  },
})

/** Mantine's defaults for these are too pale for small text in dim light; the colours are those of `styles.css`. */
const OURS = {
  '--mantine-color-body': 'var(--panel)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-dim)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-error': 'var(--red)',
  '--mantine-color-anchor': 'var(--accent)',
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...OURS,
    '--mantine-color-placeholder': '#66767f',
    '--mantine-color-red-filled': '#b3261e',
    '--mantine-color-red-filled-hover': '#9c1f18',
  },
  dark: {
    ...OURS,
    '--mantine-color-placeholder': '#8a9ca5',
    '--mantine-color-default': '#1b262b',
    '--mantine-color-default-hover': '#223037',
    '--mantine-color-red-filled': '#b9362e',
    '--mantine-color-red-filled-hover': '#a52c25',
    '--mantine-color-petrol-light': '#17404b',
    '--mantine-color-petrol-light-hover': '#1c4d5a',
    '--mantine-color-petrol-light-color': '#a3d4db',
    '--mantine-color-red-light': '#4a1f1f',
    '--mantine-color-red-light-hover': '#5a2626',
    '--mantine-color-red-light-color': '#ffb9b3',
  },
})
