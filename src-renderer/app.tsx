import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { useLanguage } from './i18n/i18n.ts'
import { Shell } from './shell/shell.tsx'
import { ToastArea } from './shell/toast.tsx'
import type { StationSession } from './store/store.ts'
import { StationContext } from './store/use-station.ts'
import { cssVariables, theme } from './theme.ts'

const schemes = localStorageColorSchemeManager({ key: 'fundus-courier.scheme' })

/** The whole window for one session with a station. */
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
