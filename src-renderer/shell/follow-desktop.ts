/** What passes between the screens and the desktop app that shows them, beside the station. */
import { desktopRouteSchema, LANGUAGE_CALL, type DesktopRoute } from '../../src-shared/place.ts'
import type { DesktopBridge } from '../link/link-over-ipc.ts'
import { onLanguageChoice } from '../words/language.ts'
import { goTo, type Route } from './routes.ts'

/** Goes where a notice or the tray leads, and lets those speak the language that is chosen here. */
export function followDesktop(bridge: DesktopBridge): void {
  bridge.onPlace((value) => {
    const target = desktopRouteSchema.safeParse(value)
    if (target.success) goTo(routeOf(target.data))
  })
  // A host that does not answer speaks as it did before; the link tells that it is gone.
  onLanguageChoice((choice) => void bridge.call(LANGUAGE_CALL, choice).catch(() => undefined))
}

function routeOf(target: DesktopRoute): Route {
  switch (target.screen) {
    case 'queue':
    case 'help':
    case 'submission':
    case 'settings':
      return target
    case 'reports':
      return target.of === null
        ? { screen: 'reports', caseId: null }
        : { screen: 'reports', caseId: target.of.caseId, submissionId: target.of.submissionId }
  }
}
