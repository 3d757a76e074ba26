/** The theme of the screens. */
import { createTheme, type MantineColorsTuple } from '@mantine/core'

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
    Tooltip: {
      defaultProps: {
        withArrow: true,
        openDelay: 350,
        multiline: true,
        maw: 320,
        // Within a landmark, as all that is on the page.
        portalProps: { target: 'aside' },
      },
    },
    Modal: { defaultProps: { centered: true, radius: 'lg', transitionProps: { duration: 120 } } },
    // What has the focus stays, wherever the page is scrolled to.
    Popover: { defaultProps: { hideDetached: false } },
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
