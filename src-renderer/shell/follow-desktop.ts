/** What passes between the screens and the desktop app that shows them, beside the station. */
import { placeSchema, SPEAKS_CALL, type Place } from '../../src-shared/place.ts'
import type { DesktopBridge } from '../link/link-over-ipc.ts'
import { onLanguageChoice } from '../words/language.ts'
import { goTo, type Route } from './routes.ts'

/** Goes where a notice or the tray leads, and lets those speak the language that is chosen here. */
export function followDesktop(bridge: DesktopBridge): void {
  bridge.onPlace((value) => {
    const place = placeSchema.safeParse(value)
    if (place.success) goTo(routeOf(place.data))
  })
  // A host that does not answer speaks as it did before; the link tells that it is gone.
  onLanguageChoice((choice) => void bridge.call(SPEAKS_CALL, choice).catch(() => undefined))
}

function routeOf(place: Place): Route {
  switch (place.screen) {
    case 'queue':
    case 'help':
    case 'submission':
    case 'settings':
      return place
    case 'reports':
      return place.of === null
        ? { screen: 'reports', caseId: null }
        : { screen: 'reports', caseId: place.of.caseId, submissionId: place.of.submissionId }
  }
}
