import type { Failure } from '../../../../src-shared/failure.ts'
import type { FolderStatus, StationStatus } from '../../../../src-shared/station-status.ts'
import type { Redactor } from './cover.ts'

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** What kind of failure; its sentence may name a folder, and the service's own words may name a patient. */
function redactFailure(failure: Failure | null): Readonly<Record<string, unknown>> | null {
  if (failure === null) return null
  const { kind, status, requestBytes, notBefore, endedBy } = failure
  return { kind, status, requestBytes, notBefore: instant(notBefore ?? null), endedBy }
}

function redactFolder(folder: FolderStatus, redactor: Redactor): Readonly<Record<string, unknown>> {
  const notes: Record<string, number> = {}
  for (const { kind } of folder.notes) notes[kind] = (notes[kind] ?? 0) + 1
  return {
    path: redactor.path(folder.path),
    health: folder.health,
    since: instant(folder.since),
    lastSweepAt: instant(folder.lastSweepAt),
    lastImageAt: instant(folder.lastImageAt),
    guard: folder.guard,
    existingCount: folder.existingCount,
    failure: redactFailure(folder.failure),
    filesLeftAside: notes,
    latestLeftAside: folder.notes
      .slice(0, 20)
      .map(({ kind, fileName, at }) => `${kind} ${redactor.file(fileName)} ${String(instant(at))}`),
  }
}

/** How the station stands, in words and counts of the program only. */
export function redactStatus(status: StationStatus, redactor: Redactor): Readonly<Record<string, unknown>> {
  const { service, patientList } = status
  return {
    mode: status.mode,
    service: {
      health: service.health,
      since: instant(service.since),
      failure: redactFailure(service.failure),
      nextTryAt: instant(service.nextTryAt),
      lastSuccessAt: instant(service.lastSuccessAt),
    },
    lastSentAt: instant(status.lastSentAt),
    storage: redactFailure(status.storage),
    clock: redactFailure(status.clock),
    alarms: status.alarms.map(({ kind, raisedAt }) => ({ kind, raisedAt: instant(raisedAt) })),
    reportsUnread: status.reportsUnread,
    patientList: {
      kind: patientList.kind,
      patients: patientList.patients,
      readAt: instant(patientList.readAt),
    },
    folders: status.folders.map((folder) => redactFolder(folder, redactor)),
  }
}
