/** Applies an enrolment file to the station and erases its secret if permitted. */
import { unlink, writeFile } from 'node:fs/promises'
import type { ManagedFile } from '../../../src-shared/settings.ts'
import type { StationOptions } from '../api.ts'
import { errorCode } from '../lib/errors.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Logger } from '../ports.ts'
import { fileStatus, readManagedFile, UNMANAGED, unknownKeys } from './managed-files.ts'
import {
  type EnrolmentContent,
  enrolmentSchema,
  type EnrolOutcome,
  openSettingsStore,
  type SettingsStore,
} from './settings.ts'

type EnrolmentDisk = {
  unlink(path: string): Promise<void>
  writeFile(path: string, text: string): Promise<void>
}

/** Never rejects for the file. `file`: null without one; `changed`: the sections it changed, for the trail. */
export async function applyEnrolment(options: {
  readonly path: string
  /** True if the path was named explicitly, so that the file must exist; the default path may be empty. */
  readonly isExpected: boolean
  readonly store: Pick<SettingsStore, 'enrol'>
  readonly logger: Logger
  /** Replaced only in tests: a user with all permissions can remove every file. */
  readonly disk?: EnrolmentDisk
}): Promise<{ readonly file: ManagedFile | null; readonly changed: readonly string[] }> {
  const { path, logger } = options
  const reading = await readManagedFile(path, parseEnrolment)
  if (reading.state === 'none' && !options.isExpected) return { file: null, changed: [] }
  const describe = (state: ManagedFile['state']): ManagedFile => ({
    ...fileStatus('enrolment', path, reading, state === 'taken' || state === 'left' ? 'this' : 'nothing'),
    state,
  })
  if (reading.state !== 'read') {
    // It was removed after it was applied; its path may stay configured.
    if (reading.state === 'none') logger.info('there is no enrolment file')
    else logger.warn('the enrolment file cannot be used', { because: reading.detail })
    return { file: describe(reading.state), changed: [] }
  }
  const { enrolment } = reading.content
  if (enrolment === null) return { file: describe('taken'), changed: [] }
  const outcome = await options.store.enrol(enrolment).catch((error: unknown): EnrolOutcome => {
    // A disk that refuses the settings is reported by the storage monitor.
    if (isSystemError(error)) return 'failed'
    throw error
  })
  const sentence = SENTENCES[outcome]
  if (outcome === 'refused' || outcome === 'locked' || outcome === 'failed') {
    logger.warn(sentence)
    return { file: describe(outcome), changed: [] }
  }
  const isGone = await eraseSecret(path, options.disk)
  if (outcome === 'taken') logger.info(sentence)
  if (!isGone)
    logger.warn('the enrolment file could be neither removed nor emptied: the client secret still lies in it')
  const changed =
    outcome === 'taken' ? ['service', ...(enrolment.centerId === undefined ? [] : ['centerId'])] : []
  return { file: describe(isGone ? 'taken' : 'left'), changed }
}

const SENTENCES: Readonly<Record<EnrolOutcome, string>> = {
  taken: 'the station was enrolled',
  again: 'the enrolment file was taken before',
  refused:
    'the enrolment file is for another service or center than the one that is enforced, so nothing of it was taken',
  locked: 'the safe for secrets is locked, so the enrolment file is taken at the next start',
  failed: 'what the enrolment file brings could not be kept, so it is taken at the next start',
}

/** What the file brings; null if it was emptied, because that was taken before. */
function parseEnrolment(content: unknown): {
  readonly enrolment: EnrolmentContent | null
  readonly unknownNames: string[]
} {
  if (Object(content).enrolled === true) return { enrolment: null, unknownNames: [] }
  const enrolment = enrolmentSchema.parse(content)
  return { enrolment, unknownNames: unknownKeys(content, enrolment) }
}

const EMPTIED = { enrolled: true } as const

/** True if the file was removed or emptied. A folder may forbid removing a file that can still be written. */
async function eraseSecret(path: string, disk: EnrolmentDisk = { unlink, writeFile }): Promise<boolean> {
  try {
    await disk.unlink(path)
    return true
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
  try {
    await disk.writeFile(path, `${JSON.stringify(EMPTIED)}\n`)
    return true
  } catch (error) {
    if (!isSystemError(error)) throw error
    return false
  }
}

function isSystemError(error: unknown): boolean {
  return errorCode(error) !== undefined
}

/** Opens the settings of a station with all managed files applied. Throws a StorageError if they cannot be read. */
export async function openSettings(
  { dataFolder, config, managed = UNMANAGED, ports }: StationOptions,
  outbox: Outbox,
): Promise<{ readonly settings: SettingsStore; readonly managedFiles: readonly ManagedFile[] }> {
  const { clock, logger, secrets } = ports
  const settings = await openSettingsStore({ dataFolder, config, policy: managed.policy, secrets, logger })
  for (const [what, file] of Object.entries({ 'configuration file': config, policy: managed.policy }))
    if (file !== null && file.unknownNames.length > 0)
      logger.warn(`names in the ${what} mean nothing`, { names: file.unknownNames.join(', ') })
  if (managed.enrolment === null) return { settings, managedFiles: managed.files }
  const { file, changed } = await applyEnrolment({ ...managed.enrolment, store: settings, logger })
  if (changed.length > 0)
    outbox.appendAudit({
      at: clock.now(),
      submissionId: null,
      what: 'settingsChanged',
      details: { sections: changed, from: 'enrolment' },
    })
  return { settings, managedFiles: file === null ? managed.files : [...managed.files, file] }
}
