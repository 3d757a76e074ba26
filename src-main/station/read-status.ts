/** The status of a station, read from its parts. */
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Delivery } from './delivery/open-delivery.ts'
import type { CameraParts } from './open-camera-side.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Ports } from './ports.ts'
import { modeOf, type StationPhase, type Pause } from './station-mode.ts'

export type StatusSources = {
  readonly ports: Ports
  readonly outbox: Outbox
  readonly camera: CameraParts
  /** Null while no service is set, and in safe mode. */
  readonly delivery: Delivery | null
  readonly isServiceSet: boolean
  readonly phase: StationPhase
  readonly pause: Pause
  readonly centerId: string | null
  readonly storage: StationStatus['storage']
}

/** Throws what reading the outbox throws. */
export function readStatus(parts: StatusSources): StationStatus {
  const { ports, outbox, camera, delivery } = parts
  const now = ports.clock.now()
  const service = delivery?.serviceStatus() ?? null
  const lastSentAt = outbox.facts.read('lastSentAt')
  return {
    version: ports.version,
    host: ports.host,
    mode: modeOf(parts.phase, parts.pause, service),
    counts: outbox.submissions.count(),
    folders: camera.intake.status(),
    service: service ?? {
      // In safe mode nobody asks it.
      health: parts.isServiceSet ? 'unknown' : 'unset',
      since: now,
      failure: null,
      nextTryAt: null,
      lastSuccessAt: null,
    },
    centerId: parts.centerId,
    patientList: camera.patientList(),
    reportsUnread: outbox.reports.count().unread,
    lastSentAt: lastSentAt === null ? null : Number(lastSentAt),
    storage: parts.storage,
    clock: delivery?.clockTrouble() ?? null,
    alarms: outbox.alarms.listOpen(),
    namesRule: outbox.approvals.isNamesRuleUnexplained() ? 'new' : 'known',
    now,
  }
}
