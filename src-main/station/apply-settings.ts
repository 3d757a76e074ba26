/** What a change of the settings does to the parts that are open. */
import type { LifePhase } from './station-mode.ts'
import type { CameraSide } from './open-camera-side.ts'
import type { DeliverySide } from './open-delivery-side.ts'
import type { ReportSide } from './open-report-side.ts'
import type { SettingsStore } from './settings-store.ts'
import type { StationEvents } from './station-events.ts'
import type { StationParts } from './station-parts.ts'
import type { StorageKeeper } from './keep-storage.ts'

type Apply = StationParts['applySettings']

export type SettingsApplier = {
  readonly apply: Apply
  /** As if everything had been set just now. */
  applyAll(): Promise<void>
  /** Resolves when nothing that was asked for is still being applied. */
  done(): Promise<void>
}

/** One change after the other: two deliveries at once would not know of each other's center. */
export function settingsApplier(given: {
  readonly phase: () => LifePhase
  readonly settings: SettingsStore
  readonly storage: StorageKeeper
  readonly camera: CameraSide
  readonly reportSide: ReportSide
  readonly deliverySide: DeliverySide
  readonly events: StationEvents
  /** Something changed that the status tells. */
  readonly onChanged: () => void
}): SettingsApplier {
  const { phase, settings, storage, camera, deliverySide, events } = given
  const { reports, copies } = given.reportSide
  let last: Promise<unknown> = Promise.resolve()

  const applyNow = async (changed: Parameters<Apply>[0]): Promise<void> => {
    const asked = phase()
    if (asked !== 'running' && asked !== 'safe') return
    storage.look()
    if (asked === 'running') await work(changed)
    events.tell('settingsChanged', await settings.shown())
    given.onChanged()
  }

  const work = async (changed: Parameters<Apply>[0]): Promise<void> => {
    // After the disk has failed nothing is sent until the next start, to no service.
    if (changed.isServiceChanged && storage.isSound()) {
      await deliverySide.renew()
      reports.wake()
    }
    if (changed.areFoldersChanged) await camera.intake.watch(settings.current().folders)
    if (changed.isPatientListChanged) camera.lookAtPatientList()
    if (changed.areProfilesChanged) camera.readNamesAnew()
    deliverySide.current()?.wake()
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
