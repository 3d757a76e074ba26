import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { ToastArea } from './shell/message-place.tsx'
import { Shell } from './shell/shell.tsx'
import type { StationSession } from './store/station-session.ts'
import { StationContext } from './store/use-station.ts'
import { cssVariables, theme } from './theme.ts'
import { useLanguage } from './words/language.ts'

const schemes = localStorageColorSchemeManager({ key: 'fundus-courier.scheme' })

/** The whole window around one session with a station. */
export function App({ session }: { readonly session: StationSession }) {
  const language = useLanguage()
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={schemes}
    >
      <StationContext key={language} value={session}>
        <ToastArea />
        <Shell />
      </StationContext>
    </MantineProvider>
  )
}
