import type { Intake } from './intake/open-intake.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { ClinicalSettings } from '../../src-shared/settings.ts'

/** Brings back to a person what was written in another unit than the settings have now, and says so on each case. */
export function recheckUnits(options: {
  readonly outbox: Pick<Outbox, 'submissions'>
  readonly intake: Pick<Intake, 'refresh'>
  readonly units: ClinicalSettings
  readonly at: number
}): void {
  const { outbox, intake } = options
  for (const id of outbox.submissions.applyUnits(options.units, options.at)) {
    const state = outbox.submissions.row(id)?.state
    if (state === 'sending' || state === 'unconfirmed' || state === 'discarded') continue
    intake.refresh(id)
  }
}
