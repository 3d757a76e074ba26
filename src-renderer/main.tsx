/** The entry of the screens: opens the session and renders the window. */
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { App } from './app.tsx'
import { restoreInitials } from './decisions/signature.tsx'
import { beginSpeaking } from './i18n/i18n.ts'
import { openLink } from './link/http.ts'
import { followDesktop } from './shell/load-screen.ts'
import { openStationSession } from './store/store.ts'
import { askBeforeLosingDrafts } from './submission/drafts.ts'

// zod would compile its schemas with `new Function`, which the content security policy forbids.
z.config({ jitless: true })

restoreInitials(window.sessionStorage)

// A desktop window that refuses to unload could not be quit; it hides instead, which preserves its drafts.
if (!window.fundusCourier) askBeforeLosingDrafts(window)
// Before the texts are loaded: a notification may be why this window was opened.
else followDesktop(window.fundusCourier)

await beginSpeaking(window)

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
createRoot(root).render(<App session={openStationSession(openLink(window))} />)
