/** What a change of the settings does to the parts that are open. */
import type { StationPhase } from './station-mode.ts'
import type { CameraParts } from './open-camera-side.ts'
import type { DeliveryHolder } from './open-delivery-side.ts'
import type { ReportParts } from './open-report-side.ts'
import type { SettingsStore } from './settings-store.ts'
import type { StationEvents } from './station-events.ts'
import type { StationParts } from './station-parts.ts'
import type { StorageMonitor } from './keep-storage.ts'

type Apply = StationParts['applySettings']

export type SettingsApplier = {
  readonly apply: Apply
  /** As if everything had been set just now. */
  applyAll(): Promise<void>
  /** Resolves when nothing that was asked for is still being applied. */
  done(): Promise<void>
}

/** One change after the other: two deliveries at once would not know of each other's center. */
export function createSettingsApplier(options: {
  readonly phase: () => StationPhase
  readonly settings: SettingsStore
  readonly storage: StorageMonitor
  readonly cameraParts: CameraParts
  readonly reportParts: ReportParts
  readonly deliveryHolder: DeliveryHolder
  readonly events: StationEvents
  /** Something changed that the status tells. */
  readonly onChanged: () => void
}): SettingsApplier {
  const { phase, settings, storage, cameraParts, deliveryHolder, events } = options
  const { reports, copies } = options.reportParts
  let last: Promise<unknown> = Promise.resolve()

  const applyNow = async (changed: Parameters<Apply>[0]): Promise<void> => {
    const requestedPhase = phase()
    if (requestedPhase !== 'running' && requestedPhase !== 'safe') return
    storage.check()
    if (requestedPhase === 'running') await applyToParts(changed)
    events.emit('settingsChanged', await settings.shown())
    options.onChanged()
  }

  const applyToParts = async (changed: Parameters<Apply>[0]): Promise<void> => {
    // After the disk has failed nothing is sent until the next start, to no service.
    if (changed.isServiceChanged && storage.isHealthy()) {
      await deliveryHolder.reopen()
      reports.wake()
    }
    if (changed.areFoldersChanged) await cameraParts.intake.watch(settings.current().folders)
    if (changed.isPatientListChanged) cameraParts.recheckPatientList()
    if (changed.areProfilesChanged) cameraParts.rereadNames()
    deliveryHolder.current()?.wake()
    copies.wake()
  }

  const apply: Apply = (changed) => {
    const done = last.then(() => applyNow(changed))
    last = done.catch(() => undefined)
    return done
  }
  return {
    apply,
    applyAll: () =>
      apply({
        isServiceChanged: true,
        areFoldersChanged: true,
        isPatientListChanged: true,
        areProfilesChanged: true,
      }),
    done: async () => void (await last),
  }
}
