/** An offer tried on the real files of its folder, before a person confirms it. Pure. */
import type {
  CurrentReading,
  Difference,
  Offer,
  OfferPreview,
  ReadValues,
} from '../../../../src-shared/profile-offers.ts'
import { readConfirmed, splitExtension, type StrictReading } from './strict.ts'

/** A reading without the places in the path. */
export function valuesOf(reading: StrictReading): ReadValues {
  return {
    historyNumber: reading.historyNumber.value,
    visitDate: reading.visitDate?.value ?? null,
    eye: reading.eye?.value ?? null,
    name: reading.name?.value ?? null,
    time: reading.time?.value ?? null,
  }
}

/**
 * What the offer would do with these files. `paths`: of the folder, newest first; files that are no images are left
 * out. `currentReadings`: what the station holds of them today, by path.
 */
export function previewOffer(
  { profile, counterExamples, refuses, notChecked }: Offer,
  paths: readonly string[],
  currentReadings: ReadonlyMap<string, CurrentReading>,
): OfferPreview {
  const preview: OfferPreview = {
    matching: [],
    notMatching: [],
    unclear: [],
    different: [],
    counterExamples,
    refuses,
    notChecked,
  }
  for (const path of paths) {
    if (splitExtension(path).extension === null) continue
    const result = readConfirmed(profile, path)
    if (result.kind === 'none') preview.notMatching.push(path)
    else if (result.kind === 'several') preview.unclear.push(path)
    else {
      const now = valuesOf(result.reading)
      preview.matching.push({ path, reading: now })
      const before = currentReadings.get(path)
      const differs = before ? differencesOf(before, now) : []
      if (before && differs.length > 0) preview.different.push({ path, differs, before, now })
    }
  }
  return preview
}

/** What was unknown before, or is in no part of the pattern, is no difference. */
function differencesOf(before: CurrentReading, now: ReadValues): Difference[] {
  const eye = before.eye === 'unknown' ? null : before.eye
  const found: readonly (Difference | null)[] = [
    isOther(before.historyNumber, now.historyNumber) ? 'historyNumber' : null,
    isOther(before.visitDate, now.visitDate) ? 'visitDate' : null,
    isOther(eye, now.eye) ? 'eye' : null,
  ]
  return found.filter((one) => one !== null)
}

function isOther(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one.toLowerCase() !== other.toLowerCase()
}
