/** Opens what tells a person outside of the window, and introduces it to what the station tells of itself. */
import type { NotificationSettings } from '../../src-shared/desktop-settings.ts'
import { openOverdueNotices } from './ageing-notices.ts'
import { createNotificationScheduler } from './keep-notices.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Ports } from './ports.ts'
import type { StationEvents } from './station-events.ts'
import { ignoringStorageErrors } from './storage-failure.ts'

export type NoticeParts = {
  readonly reportArrived: (report: {
    readonly caseId: string
    readonly submissionId: string
    readonly isUrgent: boolean
  }) => void
  readonly close: () => Promise<void>
}

export function openNoticeParts(options: {
  readonly events: Pick<StationEvents, 'on'>
  readonly outbox: Pick<Outbox, 'oversight' | 'submissions'>
  readonly ports: Pick<Ports, 'clock' | 'logger' | 'notifier'>
  readonly settings: () => NotificationSettings
}): NoticeParts {
  const { clock, logger, notifier } = options.ports
  const notices = createNotificationScheduler({ clock, settings: options.settings, notifier })
  const overdueNotices = openOverdueNotices({ outbox: options.outbox, clock, logger, notify: notices.notify })
  const stopListening = options.events.on((event) => {
    if (event.name === 'stationChanged') notices.observeStatus(event.payload)
    else if (event.name === 'submissionChanged') notices.observeCase(event.payload)
    else if (event.name === 'submissionsChanged')
      ignoringStorageErrors(() => {
        for (const id of event.payload.ids) {
          const submission = options.outbox.submissions.get(id)
          if (submission) notices.observeCase(submission)
        }
      })
  })
  return {
    reportArrived: ({ caseId, submissionId, isUrgent }) =>
      notices.notify({
        kind: isUrgent ? 'urgentReport' : 'reportArrived',
        about: submissionId,
        route: { screen: 'reports', of: { caseId, submissionId } },
      }),
    close: async () => {
      stopListening()
      notices.close()
      await overdueNotices.close()
    },
  }
}
