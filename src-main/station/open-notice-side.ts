/** Opens what tells a person outside of the window, and introduces it to what the station tells of itself. */
import type { NotificationSettings } from '../../src-shared/desktop-settings.ts'
import { openAgeingNotices } from './ageing-notices.ts'
import { keepNotices } from './keep-notices.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Ports } from './ports.ts'
import type { StationEvents } from './station-events.ts'
import { whereReadable } from './storage-failure.ts'

export type NoticeSide = {
  readonly reportArrived: (report: {
    readonly caseId: string
    readonly submissionId: string
    readonly isUrgent: boolean
  }) => void
  readonly close: () => Promise<void>
}

export function openNoticeSide(given: {
  readonly events: Pick<StationEvents, 'on'>
  readonly outbox: Pick<Outbox, 'ageingRows' | 'submissionOf'>
  readonly ports: Pick<Ports, 'clock' | 'logger' | 'notifier'>
  readonly settings: () => NotificationSettings
}): NoticeSide {
  const { clock, logger, notifier } = given.ports
  const notices = keepNotices({ clock, settings: given.settings, notifier })
  const ageing = openAgeingNotices({ outbox: given.outbox, clock, logger, tell: notices.tell })
  const stopListening = given.events.on((event) => {
    if (event.name === 'stationChanged') notices.lookAt(event.payload)
    else if (event.name === 'submissionChanged') notices.lookAtCase(event.payload)
    else if (event.name === 'submissionsChanged')
      whereReadable(() => {
        for (const id of event.payload.ids) {
          const submission = given.outbox.submissionOf(id)
          if (submission) notices.lookAtCase(submission)
        }
      })
  })
  return {
    reportArrived: ({ caseId, submissionId, isUrgent }) =>
      notices.tell({
        kind: isUrgent ? 'urgentReport' : 'reportArrived',
        about: submissionId,
        place: { screen: 'reports', of: { caseId, submissionId } },
      }),
    close: async () => {
      stopListening()
      notices.close()
      await ageing.close()
    },
  }
}
