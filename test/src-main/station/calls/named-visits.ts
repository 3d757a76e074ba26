/** Visits of which only the names of the files say whose they are, as a camera leaves them day by day. */
import type { FolderSettings } from '../../../../src-shared/folder-settings.ts'
import { DAY } from '../../../../src-shared/durations.ts'
import type { Eye } from '../../../../src-shared/measurement-ranges.ts'
import type { Settings } from '../../../../src-shared/settings.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { addTestImage, MORNING, newSubmission, someBytes } from '../../../tools/outbox-with.ts'
import { partsWith, type TestParts } from './parts-with.ts'

export const EXPORTS = '/exports'

/** The folder's settings; the contract fills in the rest. */
export function folderWith(folder: Partial<FolderSettings> = {}): Partial<Settings> {
  return { folders: [{ path: EXPORTS, sendWithoutReview: true, ...folder } as FolderSettings] }
}

/** A station that has watched the folder for some days. */
export async function stationOfNames(folder: Partial<FolderSettings> = {}): Promise<TestParts> {
  const test = await partsWith(folderWith(folder), { clock: new ManualClock({ now: MORNING }) })
  test.outbox.writeFact('stationId', 'station-1')
  return test
}

type Visit = {
  /** Counts the patients. */
  readonly patient: number
  readonly daysAgo?: number
  /** Its files were in the folder before the station watched it. */
  readonly isImported?: boolean
  readonly nameOf?: (number: string, day: string, eye: 'OD' | 'OS') => string
}

export function numberOf(patient: number): string {
  return String(310_003 + patient * 7_919)
}

/** A visit with both eyes whose names have come, closed as the quiet time closes it; its id. */
export function visit(
  test: TestParts,
  {
    patient,
    daysAgo = 0,
    isImported = false,
    nameOf = (number, day, eye) => `${number}_${day}_${eye}.jpg`,
  }: Visit,
): string {
  const at = test.clock.now() - daysAgo * DAY
  const id = test.outbox.createSubmission(newSubmission({ folderPath: EXPORTS, fields: {}, sources: {}, at }))
  const day = new Date(at).toISOString().slice(0, 10).replaceAll('-', '')
  for (const eye of ['OD', 'OS'] as const)
    addTestImage(test, id, {
      bytes: someBytes(),
      at,
      fileName: nameOf(numberOf(patient), day, eye),
      eyeSource: 'fileName',
      importedAt: isImported ? at : null,
    })
  test.parts.cases.settle(id, 'closing', { at: test.clock.now() })
  return id
}

/** Approves a case as a screen does: what is shown now. */
export async function approveShown(test: TestParts, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const seen = { [id]: test.outbox.submissionOf(id)?.digest ?? '' }
    const answer = await test.call('submissions.approve', { ids: [id], seen, by: 'AB' })
    if (!answer.ok || answer.value.changed.length !== 1) throw new Error(JSON.stringify(answer))
  }
}

/** A person gives the first image of a case the other eye. */
export async function correctEye(test: TestParts, id: string): Promise<void> {
  const [image] = test.outbox.imageRowsOf(id)
  const eye: Eye = image?.eye === 'right' ? 'left' : 'right'
  await test.call('submissions.update', { id, images: [{ id: image?.id, eye }] })
}

/** Eight visits of six patients on four days that a person has approved on the screens. */
export async function eightVisits(test: TestParts, nameOf?: Visit['nameOf']): Promise<readonly string[]> {
  const ids: string[] = []
  for (let index = 0; index < 8; index += 1) {
    const id = visit(test, { patient: index % 6, daysAgo: Math.floor(index / 2), ...(nameOf && { nameOf }) })
    await approveShown(test, id)
    ids.push(id)
  }
  return ids
}

/** Confirms the only offer of the folder. */
export async function confirmOnly(test: TestParts): Promise<string> {
  const answer = await test.call('profiles.offers', { path: EXPORTS })
  const [shown] = answer.ok ? answer.value.offers : []
  const confirmed = await test.call('profiles.confirm', {
    path: EXPORTS,
    key: shown?.offer.key ?? '',
    by: 'AB',
  })
  if (!confirmed.ok) throw new Error(confirmed.failure.message)
  test.clock.set(1_000)
  return confirmed.value.profile.id
}
