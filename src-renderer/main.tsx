/** The entry of the screens: opens the session and renders the window. */
// The sheets of the components come before those of the screens.
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './styles.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { useHeldFocus } from './components/browser.tsx'
import { restoreInitials } from './decisions/decisions.tsx'
import { startLanguage, useLanguage } from './i18n/i18n.ts'
import { openLink } from './link/transports.ts'
import { followDesktop } from './shell/navigation.tsx'
import { Shell } from './shell/shell.tsx'
import { ToastArea } from './shell/toast.tsx'
import { openStationSession, type StationSession } from './store/store.ts'
import { StationContext } from './store/use-station.ts'
import { askBeforeLosingDrafts } from './submission/drafts.ts'
import { theme } from './theme.ts'

const schemes = localStorageColorSchemeManager({ key: 'fundus-courier.scheme' })

function App({ session }: { readonly session: StationSession }) {
  const language = useLanguage()
  useHeldFocus()
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={schemes}>
      <StationContext key={language} value={session}>
        <ToastArea />
        <Shell />
      </StationContext>
    </MantineProvider>
  )
}

// zod would compile its schemas with `new Function`, which the content security policy forbids.
z.config({ jitless: true })

restoreInitials(window.sessionStorage)

// A desktop window that refuses to unload could not be quit; it hides instead, which preserves its drafts.
if (!window.fundusCourier) askBeforeLosingDrafts(window)
// Before the texts are loaded: a notification may be why this window was opened.
else followDesktop(window.fundusCourier)

/** So long the first drawing waits for the station, at most: what is drawn without its answer is drawn twice. */
const FIRST_ANSWER_MS = 200

async function firstAnswer({ store }: StationSession): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = store.subscribe(({ snapshots }) => snapshots > 0 && resolve())
  setTimeout(resolve, FIRST_ANSWER_MS)
  await promise
  stop()
}

/** Not awaited at the top level: texts that are built into the first file would wait for that file, and it for them. */
async function start(): Promise<void> {
  await startLanguage(window)
  const session = openStationSession(openLink(window))
  await firstAnswer(session)
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root')
  createRoot(root).render(<App session={session} />)
}

void start()
